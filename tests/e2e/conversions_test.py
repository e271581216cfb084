#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Transposes blocks that are larger than shared memory, and checks every element.

    conversions_test.py TILESCOPE TILESCOPE_EMULATE

Rows are read and columns are written, so that threads hand each other their elements, in several parts.
"""

import pathlib
import sys
import tempfile

import numpy as np

from emulated import run_emulated
from run_cases import run_cases

KERNEL = '''
import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = [1]
# [args]
# x_ptr = {{ dtype = "{dtype}", shape = [{rows}, {columns}], init = "randn", seed = 1 }}
# out_ptr = {{ dtype = "{dtype}", shape = [{columns}, {rows}] }}
# [options]
# num_warps = {warps}
# ///


@triton.jit
def transpose(x_ptr, out_ptr):
    row = tl.arange(0, {rows})
    column = tl.arange(0, {columns})
    x = tl.load(x_ptr + row[:, None] * {columns} + column[None, :])
    tl.store(out_ptr + column[None, :] * {rows} + row[:, None], x)
'''

# Type, rows, columns, warps, target: 256 KiB and more. The limits are 227, 163 and 99 KiB.
CASES = [
    ("fp32", 256, 256, 4, "cuda:90"),
    ("fp32", 256, 256, 8, "cuda:90"),
    ("fp32", 512, 256, 16, "cuda:90"),
    ("fp32", 128, 512, 8, "cuda:80"),
    ("fp64", 128, 256, 8, "cuda:90"),
    ("fp16", 256, 512, 8, "cuda:90"),
    ("fp32", 128, 256, 4, "cuda:86"),
    ("i8", 512, 512, 8, "cuda:86"),
]


def check(tilescope, emulate, case):
    dtype, rows, columns, warps, target = case
    text = KERNEL.format(dtype=dtype, rows=rows, columns=columns, warps=warps)
    if dtype == "i8":
        text = text.replace('init = "randn"', 'init = "randint", low = -128, high = 127')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "transpose.py"
        source.write_text(text)
        problem = run_emulated(tilescope, emulate, source, target, folder, timeout=600)
        if problem:
            return problem
        x, out = np.load(folder / "x_ptr.npy"), np.load(folder / "out_ptr.npy")
        wrong = np.argwhere(out != x.T)
        if len(wrong):
            return f"{len(wrong)} of {out.size} elements are wrong, the first at {tuple(wrong[0])}"
    return None


def describe(case):
    dtype, rows, columns, warps, target = case
    return f"{dtype}, {rows} x {columns}, {warps} warps, {target}"


def main():
    tilescope, emulate = sys.argv[1:3]
    return run_cases(CASES, lambda case: check(tilescope, emulate, case), describe)


if __name__ == "__main__":
    sys.exit(main())
