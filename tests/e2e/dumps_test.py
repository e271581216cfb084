#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compiles TTGIR for sm_90 and sm_100, as Triton writes it, onward and checks what it computes.

    dumps_test.py TILESCOPE TILESCOPE_EMULATE

The files of `dumps/` hold bulk copies by descriptors, barriers in shared memory, products by warp groups, and a warp
that loads for the others; those for sm_100, products in tensor memory; `indexed`, shared memory at computed places.
`lit/ttg_to_llvm/dump-*.mlir` look at the code made of the same files. Their numbers are small integers, which nothing but the result's type rounds.
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


def product_of_transposed(arrays):
    return {"c": arrays["a"].astype(np.float64) @ arrays["b"].astype(np.float64).T}


def chain(arrays):
    first = product(arrays)["c"]
    return {"s": first.max(axis=1), "c": first @ arrays["b"].astype(np.float64).T}


def scaled_product(arrays):
    return {"c": (scaled_factor(arrays["a"], arrays["sa"]) @ scaled_factor(arrays["b"], arrays["sb"]).T).astype(np.float16)}


def scaled_factor(packed, exponents):
    """Pairs of 4-bit floats by powers of two, one for 32 elements: 128 rows by 4 scales lie as 32 x 4 x 4."""
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(packed), -1)
    factors = np.where(codes & 8, -1, 1) * values[codes & 7]
    scales = np.exp2(exponents.astype(np.float64) - 127).reshape(-1, 32, 4, 4)
    return factors * np.repeat(scales.transpose(2, 1, 0, 3).reshape(len(packed), -1), 32, axis=1)


def gathered(arrays):
    # Rows that were not requested stay as they were.
    rows = arrays["b"].copy()
    rows[arrays["idx"]] = arrays["a"][arrays["idx"]]
    return {"b": rows}


def indexed(arrays):
    """Rows of the lower half, then the same in the rows that differ in bits 0 and 2; rows without index 3, counted."""
    x, rows = arrays["x"].reshape(16, 32), arrays["rows"].reshape(8, 32)
    y = np.take_along_axis(x[8:], rows, axis=0)
    z = x.copy()
    z[np.arange(8) ^ 5] = y
    counts = np.bincount(rows.ravel(), minlength=8) * (np.arange(8) != 3)
    return {"y": y, "z": z, "counts": counts}


CASES = {
    "copy": twice,
    "matmul": product,
    "matmul_groups": product,
    "matmul_cluster": product,
    "matmul_tensor": product,
    "chain_tensor": chain,
    "matmul_tensor_groups": product_of_transposed,
    "scaled_tensor": scaled_product,
    "gather": gathered,
    "indexed": indexed,
}


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
        if not np.array_equal(arrays[output].astype(np.float64), right, equal_nan=True):
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
