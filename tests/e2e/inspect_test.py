#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares what `tilescope inspect` counts with what the emulator's threads request.

    inspect_test.py TILESCOPE TILESCOPE_EMULATE FOLDER [KERNEL...] [--every N]

FOLDER holds the examples, or folders of kernels with `references.py`, which knows sizes that the emulator can manage.
`--every` checks only every N-th kernel and target.

`inspect` knows blocks, layouts and vector widths; the emulator knows nothing but PTX, thread by thread. Both count
requests, sectors and lines of global memory, and requests and wavefronts of shared memory.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import run_cases
from small_sizes import SMALL

CAPABILITIES = [80, 90]
# LLVM leaves out reads of shared memory whose values nobody uses: of the last warp's total, of parts of a block.
UNUSED = {"cumsum_columns", "sort_rows"}
GLOBAL = ["requests", "sectors", "lines", "bytes_asked", "bytes_used"]
SHARED = ["requests", "wavefronts", "bytes_asked"]


# Accesses are counted before there is machine code: to read that takes most of the time of `inspect`.
ENVIRONMENT = os.environ | {"TILESCOPE_NVDISASM": "none"}


def execute(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
    if done.returncode != 0:
        raise RuntimeError(f"`{command[1]}`: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def differences(counted, emulated, kinds_left_out):
    """What differs, as text."""
    for kind in sorted(counted.keys() | emulated.keys() - kinds_left_out):
        if kind in kinds_left_out:
            continue
        fields = GLOBAL if kind.startswith("global") or kind == "async copy" else SHARED
        ours, theirs = counted.get(kind, {}), emulated.get(kind, {})
        for field in fields:
            if ours.get(field, 0) != theirs.get(field, 0):
                yield f"{kind}: {field} {ours.get(field, 0)}, emulated {theirs.get(field, 0)}"


def reference_sizes(folder):
    """By kernel: sizes, and the least compute capability."""
    sys.path.insert(0, str(folder))
    import references
    return {name: (dict(size.split("=") for size in small.split()), needs)
            for name, (_, small, needs, _) in references.REFERENCES.items()}


def check(case, tilescope, emulate):
    path, target, sizes = case
    words = ["--target", target] + [part for name, value in sizes.items() for part in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        package, requests = pathlib.Path(folder) / "k.tskernel", pathlib.Path(folder) / "requests.json"
        try:
            execute([tilescope, "package", path, "-o", package, *words])
            execute([emulate, package, "--requests", requests])
            facts = json.loads(execute([tilescope, "inspect", path, "--json", *words]))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error)
        # What goes to shared memory by the data is not counted there.
        left_out = {"shared load", "shared store"} if facts["uncounted"] else set()
        # Products of warp groups are no requests of threads.
        left_out.add("product read")
        if "in a loop" in json.dumps(facts["uncounted"]):
            left_out |= {"global load", "global atomic", "global reduction"}
        if path.stem in UNUSED:
            left_out = {"shared load", "product read"}
        counted = {kind.replace("_", " "): counts for kind, counts in (facts["totals"] or {}).items()}
        return "; ".join(differences(counted, json.loads(requests.read_text()), left_out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tilescope")
    parser.add_argument("emulate")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="KERNEL")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    options = parser.parse_args()
    folder, names = options.folder, options.names
    if (folder / "references.py").exists():
        paths, sizes = folder.glob("*/*.py"), reference_sizes(folder)
    else:
        paths, sizes = folder.glob("*.py"), {name: (small, 80) for name, small in SMALL.items()}
    cases = [(path, f"cuda:{capability}", sizes[path.stem][0]) for path in sorted(paths)
             if path.stem in sizes and (not names or path.stem in names)
             for capability in CAPABILITIES if capability >= sizes[path.stem][1]][:: options.every]
    if not cases:
        sys.exit("there are no kernels to check")
    return run_cases.run_cases(cases, lambda case: check(case, options.tilescope, options.emulate),
                               lambda case: f"{case[0].stem} for {case[1]}")


if __name__ == "__main__":
    sys.exit(main())
