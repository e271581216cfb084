#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/get_cuda.py FOLDER: gets ptxas, nvdisasm and libdevice where no CUDA Toolkit has them.

NVIDIA publishes them as packages for Python; their versions and hashes are in
scripts/packages/cuda-wheels.txt, their license comes with them. Tilescope looks for them in
`cuda` beside the folder of its build (see compiler/target/CudaToolkit.h), after all places where a
CUDA Toolkit may be. Does nothing for what is there already. `--missing` only lists what is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

WHEELS = pathlib.Path(__file__).resolve().parent / "packages" / "cuda-wheels.txt"
# Part -> its package, the file in it, the variable that names another or hides it.
PARTS = {
    "bin/ptxas": ("nvidia-cuda-nvcc", "TILESCOPE_PTXAS"),
    "bin/nvdisasm": ("nvidia-cuda-nvdisasm", "TILESCOPE_NVDISASM"),
    "nvvm/libdevice/libdevice.10.bc": ("nvidia-nvvm", "TILESCOPE_LIBDEVICE"),
}


def roots():
    """Where a CUDA Toolkit may be, as compiler/target/CudaToolkit.cpp looks for it."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield pathlib.Path(os.environ[variable])
    for folder in os.environ.get("PATH", "").split(":"):
        if (pathlib.Path(folder) / "ptxas").exists():
            yield pathlib.Path(folder).parent
    yield pathlib.Path("/usr/local/cuda")


def is_there(part, folder):
    name = pathlib.Path(part).name
    return (os.environ.get(PARTS[part][1]) is not None
            or any((root / part).exists() for root in [*roots(), folder])
            or (part.startswith("bin/") and shutil.which(name) is not None))


def requirements(packages):
    """The lines of the packages, with the hashes that continue them."""
    lines, taken = [], False
    for line in WHEELS.read_text().splitlines():
        if not line.startswith((" ", "#")):
            taken = line.split("==")[0] in packages
        if taken:
            lines.append(line)
    return "\n".join(lines) + "\n"


def extract(wheel, parts, folder):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            for part in parts:
                if member.endswith("/" + part):
                    target = folder / part
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(member))
                    target.chmod(0o755 if part.startswith("bin/") else 0o644)
            if member.lower().endswith("/license.txt"):
                (folder / "LICENSE.txt").write_bytes(archive.read(member))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--missing"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    missing = [part for part in PARTS if not is_there(part, folder)]
    if "--missing" in sys.argv:
        print("\n".join(missing))
        return
    if not missing:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        listed = pathlib.Path(temporary) / "requirements.txt"
        listed.write_text(requirements({PARTS[part][0] for part in missing}))
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
               "--only-binary=:all:", "--require-hashes", "--dest", temporary, "-r", str(listed)]
        if subprocess.run(pip, check=False).returncode != 0:
            sys.exit("scripts/get_cuda.py: the download failed. Without these files stages end at "
                     "PTX or at the cubin; run scripts/setup again to get them.")
        for wheel in pathlib.Path(temporary).glob("*.whl"):
            extract(wheel, missing, folder)
    left = [part for part in missing if not is_there(part, folder)]
    if left:
        sys.exit(f"scripts/get_cuda.py: not in the packages: {', '.join(left)}")
    names = ", ".join(pathlib.Path(part).name for part in missing)
    print(f"Got {names} from NVIDIA's packages; {folder / 'LICENSE.txt'} is their license.")


if __name__ == "__main__":
    main()
