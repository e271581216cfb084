#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Adds blocks atomically, as split-K products do, and checks every sum exactly.

    atomics_test.py TILESCOPE TILESCOPE_EMULATE

Terms are small integers, which all types hold: compiled code, executed in the emulator, must give what NumPy
gives, whatever the order, in instructions of one element and in those of pairs and vectors.
"""

import os
import pathlib
import re
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
# kernel = "add"
# grid = [{grid}]
# [args]
# x_ptr = {{ dtype = "{dtype}", shape = [{grid}, {n}], init = "randint", low = -9, high = 10, seed = 1 }}
# sum_ptr = {{ dtype = "{dtype}", shape = [{n}], init = "randint", low = -9, high = 10, seed = 2 }}
# old_ptr = {{ dtype = "{dtype}", shape = [{grid}, {n}] }}
# n = {n}
# [options]
# num_warps = {warps}
# ///


@triton.jit
def add(x_ptr, sum_ptr, old_ptr, n):
    i = tl.arange(0, {block})
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n)
    {body}
'''
SUM = 'tl.atomic_add(sum_ptr + i, x, mask=i < n, sem="{sem}")'
OLD = '''old = tl.atomic_add(sum_ptr + i, x, mask=i < n, sem="{sem}")
    tl.store(old_ptr + tl.program_id(0) * n + i, old, mask=i < n)'''

NO_ASSEMBLER = {**os.environ, "TILESCOPE_NVJITLINK": "none", "TILESCOPE_PTXAS": "none"}

# What one instruction adds, by type and target.
INSTRUCTIONS = {
    ("fp16", "cuda:80"): "add.noftz.f16x2", ("fp16", "cuda:90"): "add.noftz.v4.f16x2",
    ("bf16", "cuda:80"): "cas.b32", ("bf16", "cuda:90"): "add.noftz.v4.bf16x2",
    ("fp32", "cuda:80"): "add.f32", ("fp32", "cuda:90"): "add.v4.f32",
}


def cases():
    for dtype, target in INSTRUCTIONS:
        # A multiple of 16 lets a mask cover whole vectors; other sizes do not.
        for n in (1008, 1002):
            yield dtype, target, SUM, n, 4, "relaxed"
        yield dtype, target, OLD, 1008, 4, "acq_rel"
    # More threads than elements: some hold copies, which must not be added.
    yield "fp16", "cuda:90", OLD, 64, 8, "relaxed"


def as_numbers(array):
    return (array["bf16"].astype(np.uint32) << 16).view(np.float32) if array.dtype.names else array.astype(np.float64)


def check(tilescope, emulate, case):
    dtype, target, body, n, warps, sem = case
    grid = 3
    text = KERNEL.format(dtype=dtype, n=n, grid=grid, warps=warps, block=64 if n == 64 else 1024,
                         body=body.format(sem=sem))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "add.py"
        source.write_text(text)
        before, after = folder / "before", folder / "after"
        before.mkdir()
        after.mkdir()
        ptx = subprocess.run([tilescope, "compile", source, "--target", target, "--emit", "ptx"],
                             capture_output=True, text=True, timeout=300)
        if n == 1008 and INSTRUCTIONS[dtype, target] not in ptx.stdout:
            return f"no {INSTRUCTIONS[dtype, target]} in the PTX"
        problem = run_emulated(tilescope, emulate, source, target, after)
        if problem:
            return problem
        x, total, old = (as_numbers(np.load(after / f"{part}_ptr.npy")) for part in ("x", "sum", "old"))
        # Without an assembler, the PTX states the oldest version that has its instructions.
        plain = subprocess.run([tilescope, "compile", source, "--target", target, "--emit", "ptx"], capture_output=True,
                               text=True, timeout=300, env=NO_ASSEMBLER)
        version = re.search(r"\.version (\d+\.\d+)", plain.stdout)[1]
        if ".v" in INSTRUCTIONS[dtype, target] and float(version) < 8.1:
            return f"PTX {version} has no reductions of vectors"
        # The data that the sums began with, from a run that adds zeros only.
        source.write_text(text.replace("low = -9, high = 10, seed = 1", "low = 0, high = 1, seed = 1"))
        problem = run_emulated(tilescope, emulate, source, target, before)
        if problem:
            return problem
        start = as_numbers(np.load(before / "sum_ptr.npy"))
        if not np.array_equal(total, start + x.sum(axis=0)):
            return f"{np.count_nonzero(total != start + x.sum(axis=0))} of {n} sums are wrong"
        if body is OLD:
            # In whatever order the programs came, each saw what the one before it left.
            left, seen = np.sort(np.vstack([start, old + x]), axis=0), np.sort(np.vstack([old, total]), axis=0)
            if not np.array_equal(left, seen):
                return f"{np.count_nonzero(np.any(left != seen, axis=0))} elements were not what an addition before left"
    return None


def describe(case):
    dtype, target, body, n, warps, sem = case
    form = "sums and what was before" if body is OLD else "sums"
    return f"{dtype}, {target}, {form}, {n} elements, {warps} warps, {sem}"


def main():
    tilescope, emulate = sys.argv[1:3]
    return run_cases(cases(), lambda case: check(tilescope, emulate, case), describe)


if __name__ == "__main__":
    sys.exit(main())
