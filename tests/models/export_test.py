#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Files of `torch.export.save`, and TensorFlow models that tf2onnx converted, compute what PyTorch and TensorFlow computed.

Usage: export_test.py TILESCOPE [DIR]. Each folder of DIR (exports, beside this file) has `model.pt2` or `model.onnx`, inputs in `in` and outputs
in `out` (make_exports.py, make_tensorflow.py). The model runs as the file has it and fused, and every output is compared.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parent / "exports"
MOST = 1e-5
# What is attention however an exporter wrote it is one kernel each.
ATTENTION_KERNELS = {"attention-core": 1, "masked-attention": 3, "masked-attention-core": 3}


def error(found, wanted):
    """Relative, in norm; of whole numbers and truth values 0 or infinite."""
    assert found.shape == wanted.shape and found.dtype == wanted.dtype, (found.shape, found.dtype, wanted.shape, wanted.dtype)
    if wanted.dtype.kind != "f":
        return 0.0 if np.array_equal(found, wanted) else float("inf")
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    return float(np.linalg.norm(found - wanted) / max(np.linalg.norm(wanted), 1e-30))


def check(folder, form):
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([TILESCOPE, "model", "run", str(next(folder.glob("model.*"))), "--inputs", str(folder / "in"), "-o", out, "--form", form],
                              capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, f"{folder.name}, {form}: {done.stderr[-3000:]}"
        wanted = sorted((folder / "out").glob("*.npy"))
        assert wanted, folder
        errors = {each.stem: error(np.load(pathlib.Path(out) / each.name), np.load(each)) for each in wanted}
    print(f"{folder.name}, {form}: relative error in norm {max(errors.values()):.2e}", flush=True)
    assert all(each < MOST for each in errors.values()), (folder.name, form, errors)


def check_attention(folder, wanted):
    told = subprocess.run([TILESCOPE, "model", "fuse", str(next(folder.glob("model.*")))],
                          capture_output=True, text=True, timeout=300, check=True).stdout
    found = [line for line in told.splitlines() if line.startswith("kernel attention")]
    assert len(found) == wanted, (folder.name, told)


def main():
    folders = sorted(each.parent for each in ROOT.glob("*/model.*"))
    assert folders, f"no exports in {ROOT}"
    faults = []
    for folder in folders:
        for form in ("read", "fused"):
            try:
                check(folder, form)
            except AssertionError as fault:
                faults.append(str(fault))
        try:
            if wanted := ATTENTION_KERNELS.get(folder.name):
                check_attention(folder, wanted)
        except AssertionError as fault:
            faults.append(str(fault))
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
