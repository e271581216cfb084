#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the node cases of ONNX's own backend tests with `tilescope model run` and compares their outputs.

    run_node_cases.py TILESCOPE [--form read|canonical|fused] [--least N] [--every N] [--list] [NAME…]

Inputs that decide shapes are constants, as for node_cases.py. A case is right when all outputs are within 0.1 % of the case's
(fp16 1 %, bf16 2 %), whole numbers and truth values exactly. Exits 1 when a case is wrong or ends in anything but a diagnostic of an
operation that has no kernel, or less than N are right.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from node_cases import with_constants
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

# Relative and absolute, by the type's size in bytes.
TOLERANCES = {"bfloat16": (2e-2, 1e-2), "float16": (1e-2, 1e-3)}
UNSUPPORTED = ("not supported", "there is no kernel", "there are no kernels", "is the oldest", "is not a tensor", "are not numbers",
               "is known only", "are known only")


# Types that NumPy does not know, as `tilescope` names them in its files.
NAMES = {"bfloat16": "bf16", "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16"}


def save(path, data):
    if data.dtype.name in NAMES:
        data = data.view(f"u{data.dtype.itemsize}").view([(NAMES[data.dtype.name], f"<u{data.dtype.itemsize}")])
    np.save(path, data)


def array(data):
    return numpy_helper.to_array(data) if isinstance(data, onnx.TensorProto) else np.asarray(data)


def is_close(found, wanted):
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.kind in "iub":
        return bool(np.array_equal(found, wanted))
    relative, absolute = TOLERANCES.get(wanted.dtype.name, (1e-3, 1e-6))
    return bool(np.allclose(found.astype(np.float64), wanted.astype(np.float64), relative, absolute, equal_nan=True))


def run(options, case, folder):
    """The verdict, `right`, `wrong`, `unsupported` or `failed`, and why."""
    inputs, outputs = case.data_sets[0]
    model = with_constants(case.model, inputs)
    onnx.save(model, folder / "m.onnx")
    (folder / "in").mkdir()
    kept = {value.name for value in model.graph.input}
    for value, data in zip(case.model.graph.input, inputs):
        if value.name in kept and data is not None and not isinstance(data, (list, dict)):
            save(folder / "in" / f"{value.name}.npy", array(data))
    done = subprocess.run([options.program, "model", "run", str(folder / "m.onnx"), "--inputs", str(folder / "in"), "--out",
                           str(folder / "out"), "--form", options.form], capture_output=True, text=True)
    if done.returncode:
        is_unsupported = any(text in done.stderr for text in UNSUPPORTED)
        return "unsupported" if is_unsupported else "failed", done.stderr.strip()[-300:]
    for value, data in zip(case.model.graph.output, outputs):
        found, wanted = np.load(folder / "out" / f"{value.name}.npy"), array(data)
        # NumPy has no name for some types: their bits are stored.
        if found.dtype != wanted.dtype and found.dtype.itemsize == wanted.dtype.itemsize and found.dtype.kind in "Vu":
            found = found.view(wanted.dtype)
        if not is_close(found, wanted):
            return "wrong", f"{value.name} {wanted.dtype} {list(wanted.shape)}: {found.ravel()[:4]}, not {wanted.ravel()[:4]}"
    return "right", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--form", default="fused")
    parser.add_argument("--least", type=int, default=0, help="so many must be right")
    parser.add_argument("--every", type=int, default=1, help="run each n-th case alone")
    parser.add_argument("--list", action="store_true", help="also name cases without a kernel")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    cases = [case for case in collect_testcases("") if not options.names or case.name in options.names]
    found = collections.Counter()
    for case in cases[::options.every]:
        with tempfile.TemporaryDirectory() as scratch:
            verdict, why = run(options, case, pathlib.Path(scratch))
        found[verdict] += 1
        if verdict in ("wrong", "failed") or (verdict == "unsupported" and options.list):
            print(f"{verdict}: {case.name}: {why}", flush=True)
    print(f"{sum(found.values())} node cases, {options.form}: {found['right']} right, {found['wrong']} wrong, {found['failed']} failed, "
          f"{found['unsupported']} without a kernel")
    return 1 if found["wrong"] or found["failed"] or found["right"] < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
