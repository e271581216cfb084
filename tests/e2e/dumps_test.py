#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compiles TTGIR for sm_90, as Triton writes it, onward and checks what it computes.

    dumps_test.py TILESCOPE TILESCOPE_EMULATE

The files of `dumps/` hold bulk copies by descriptors, barriers in shared memory, products by warp groups, and a warp
that loads for the others; `lit/ttg_to_llvm/dump-*.mlir` look at the code made of the same files. Their numbers are
small integers, which nothing rounds.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

DUMPS = pathlib.Path(__file__).resolve().parent / "dumps"


def twice(arrays):
    return {"b_ptr": 2 * arrays["a_ptr"]}


def product(arrays):
    return {"c": arrays["a"].astype(np.float64) @ arrays["b"].astype(np.float64)}


CASES = {"copy": twice, "matmul": product, "matmul_groups": product}


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{command[0]} {command[1]}: {done.stderr[-1000:]}")


def check(tilescope, emulate, name, expected):
    """What is wrong with the dump's results; nothing when they are right."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        execute([tilescope, "package", DUMPS / f"{name}.ttgir", "-o", folder / "k.tskernel"])
        (folder / "out").mkdir()
        execute([emulate, folder / "k.tskernel", "--dump", folder / "out"])
        arrays = {file.stem: np.load(file) for file in (folder / "out").iterdir()}
    for output, right in expected(arrays).items():
        if not np.array_equal(arrays[output].astype(np.float64), right):
            return f"`{output}` differs at {np.argwhere(arrays[output] != right)[0]}"
    return None


def main():
    tilescope, emulate = sys.argv[1:3]
    failures = 0
    for name, expected in CASES.items():
        problem = check(tilescope, emulate, name, expected)
        failures += problem is not None
        print(f"{name}: {problem or 'right'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
