#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Multiplies by tiles whose columns are two blocks beside each other, or three: one instruction computes all of them.

    joined_products_test.py TILESCOPE TILESCOPE_EMULATE

Factors are small integers, which no sum rounds: the emulator must compute what NumPy does, to the last bit, and the code
must have instructions as wide as all blocks, or half as wide where they have more than 256 columns. Blocks come through pointers,
and through descriptors in bulk copies.
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
{known}# K = {total}
# [options]
# num_warps = {warps}
# num_stages = {stages}
# ///


@triton.jit
def k(a_ptr, b_ptr, out_ptr, K{type}):
    rows = tl.arange(0, {rows})
{begin}
    for begin in range(0, K, {depth}):
{step}
{end}
'''
# Rows, columns of each block, depth, warps, stages, and the columns of the instruction.
TILES = [(64, (64, 32), 64, 4, 4, 96), (128, (64, 16), 64, 4, 3, 80), (128, (128, 32), 64, 4, 3, 160), (128, (128, 64), 32, 4, 4, 192),
         (128, (128, 64), 64, 8, 3, 192), (64, (256, 32), 64, 4, 3, 144), (128, (256, 64), 64, 8, 3, 160), (64, (128, 64, 16), 64, 4, 4, 208),
         (128, (64, 32, 16), 64, 4, 3, 112), (128, (128, 64, 32), 64, 8, 4, 224)]


def kernel(tile, steps, is_bulk):
    rows, blocks, depth, warps, stages, _ = tile
    total, width = depth * steps, sum(blocks)
    begin, loads, dots, moves, end = [], [], [], [], []
    if is_bulk:
        begin.append(f"a_tile = tl.make_tensor_descriptor(a_ptr, [{rows}, K], [K, 1], [{rows}, {depth}])")
        loads.append("a = a_tile.load([0, begin])")
    else:
        begin += [f"at = tl.arange(0, {depth})", "a_tile = a_ptr + rows[:, None] * K + at[None, :]"]
        loads.append("a = tl.load(a_tile)")
        moves.append(f"a_tile += {depth}")
    for i, columns in enumerate(blocks):
        first = sum(blocks[:i])
        begin += [f"columns{i} = {first} + tl.arange(0, {columns})", f"total{i} = tl.zeros([{rows}, {columns}], tl.float32)"]
        if is_bulk:
            begin.append(f"b{i}_tile = tl.make_tensor_descriptor(b_ptr, [{width}, K], [K, 1], [{columns}, {depth}])")
            loads.append(f"b{i} = b{i}_tile.load([{first}, begin]).T")
        else:
            begin.append(f"b{i}_tile = b_ptr + columns{i}[None, :] * K + at[:, None]")
            loads.append(f"b{i} = tl.load(b{i}_tile)")
            moves.append(f"b{i}_tile += {depth}")
        dots.append(f"total{i} = tl.dot(a, b{i}, total{i})")
        end.append(f"tl.store(out_ptr + rows[:, None] * {width} + columns{i}[None, :], total{i})")
    lines = lambda indent, *groups: "\n".join(" " * indent + line for group in groups for line in group)
    # A launch describes tensors whose extents are known when the kernel is compiled.
    known, type_ = ("# [constexprs]\n", ": tl.constexpr") if is_bulk else ("", "")
    return KERNEL.format(known=known, type=type_, rows=rows, total=total, all=width, warps=warps, stages=stages, depth=depth, begin=lines(4, begin),
                         step=lines(8, loads, dots, moves), end=lines(4, end))


def check(tilescope, emulator, tile, steps, is_bulk):
    """What is wrong; nothing when all is well."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        source, dump = folder / "k.py", folder / "dump"
        dump.mkdir()
        source.write_text(kernel(tile, steps, is_bulk))
        if problem := run_emulated(tilescope, emulator, source, "cuda:90", dump):
            return problem
        a, b = (np.load(dump / f"{name}.npy").astype(np.float32) for name in ("a_ptr", "b_ptr"))
        found = np.load(dump / "out_ptr.npy")
        if not np.array_equal(found, a @ b.T):
            return f"`out_ptr` differs in {np.count_nonzero(found != a @ b.T)} elements"
        done = subprocess.run([tilescope, "compile", source, "--target", "cuda:90", "--emit", "ptx", "-o", folder],
                              capture_output=True, text=True, timeout=300)
        text = "".join(path.read_text() for path in folder.glob("*.ptx"))
        if ("cp.async.bulk.tensor" in text) != is_bulk or ("cp.async.cg" in text) == is_bulk:
            return f"blocks come {'not ' if is_bulk else ''}in bulk copies: {done.stderr}"
        widths = {line.split("m64n")[1].split("k16")[0] for line in text.splitlines() if "mma_async" in line}
        return "" if widths == {str(tile[-1])} else f"instructions have {widths} columns, not {tile[-1]}: {done.stderr}"


def main():
    tilescope, emulator = sys.argv[1:3]
    cases = [(tile, steps, is_bulk) for tile in TILES for is_bulk in (False, True) for steps in (1 + is_bulk, 5)]
    return run_cases(cases, lambda case: check(tilescope, emulator, *case), lambda case: ": ".join(map(str, case)))


if __name__ == "__main__":
    sys.exit(main())
