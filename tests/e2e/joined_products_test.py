#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Multiplies by tiles whose columns are two blocks beside each other: one instruction computes both.

    joined_products_test.py TILESCOPE TILESCOPE_EMULATE

Factors are small integers, which no sum rounds: the emulator must compute what NumPy does, to the last bit, and the code
must have instructions as wide as both blocks, or half as wide where they have more than 256 columns.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from emulated import run_emulated
from run_cases import run_cases

KERNEL = '''
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# a_ptr = {{ dtype = "fp16", shape = [{rows}, {total}], init = "randint", low = -2, high = 3, seed = 1 }}
# b_ptr = {{ dtype = "fp16", shape = [{all}, {total}], init = "randint", low = -2, high = 3, seed = 2 }}
# out_ptr = {{ dtype = "fp32", shape = [{rows}, {all}] }}
# K = {total}
# [options]
# num_warps = {warps}
# num_stages = {stages}
# ///


@triton.jit
def k(a_ptr, b_ptr, out_ptr, K):
    N: tl.constexpr = {all}
    rows = tl.arange(0, {rows})
    columns = tl.arange(0, {columns})
    rest = {columns} + tl.arange(0, {rest})
    at = tl.arange(0, {depth})
    a_tile = a_ptr + rows[:, None] * K + at[None, :]
    b_tile = b_ptr + columns[None, :] * K + at[:, None]
    rest_tile = b_ptr + rest[None, :] * K + at[:, None]
    total = tl.zeros([{rows}, {columns}], tl.float32)
    total_rest = tl.zeros([{rows}, {rest}], tl.float32)
    for begin in range(0, K, {depth}):
        a = tl.load(a_tile)
        b = tl.load(b_tile)
        b_rest = tl.load(rest_tile)
        total = tl.dot(a, b, total)
        total_rest = tl.dot(a, b_rest, total_rest)
        a_tile += {depth}
        b_tile += {depth}
        rest_tile += {depth}
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], total)
    tl.store(out_ptr + rows[:, None] * N + rest[None, :], total_rest)
'''
# Rows, columns, rest, depth, warps, stages, and the columns of the instruction.
TILES = [(64, 64, 32, 64, 4, 4, 96), (128, 64, 16, 64, 4, 3, 80), (128, 128, 32, 64, 4, 3, 160), (128, 128, 64, 32, 4, 4, 192),
         (128, 128, 64, 64, 8, 3, 192), (64, 256, 32, 64, 4, 3, 144), (128, 256, 64, 64, 8, 3, 160)]


def check(tilescope, emulator, tile, steps):
    """What is wrong; nothing when all is well."""
    rows, columns, rest, depth, warps, stages, wide = tile
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        source, dump = folder / "k.py", folder / "dump"
        dump.mkdir()
        source.write_text(KERNEL.format(rows=rows, columns=columns, rest=rest, depth=depth, warps=warps, stages=stages,
                                        total=depth * steps, all=columns + rest))
        if problem := run_emulated(tilescope, emulator, source, "cuda:90", dump):
            return problem
        a, b = (np.load(dump / f"{name}.npy").astype(np.float32) for name in ("a_ptr", "b_ptr"))
        found = np.load(dump / "out_ptr.npy")
        if not np.array_equal(found, a @ b.T):
            return f"`out_ptr` differs in {np.count_nonzero(found != a @ b.T)} elements"
        done = subprocess.run([tilescope, "compile", source, "--target", "cuda:90", "--emit", "ptx", "-o", folder],
                              capture_output=True, text=True, timeout=300)
        text = "".join(path.read_text() for path in folder.glob("*.ptx"))
        widths = {line.split("m64n")[1].split("k16")[0] for line in text.splitlines() if "mma_async" in line}
        return "" if widths == {str(wide)} else f"instructions have {widths} columns, not {wide}: {done.stderr}"


def main():
    tilescope, emulator = sys.argv[1:3]
    cases = [(tile, steps) for tile in TILES for steps in (1, 5)]
    return run_cases(cases, lambda case: check(tilescope, emulator, *case), lambda case: ": ".join(map(str, case)))


if __name__ == "__main__":
    sys.exit(main())
