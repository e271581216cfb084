#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs kernels whose programs are clusters of thread blocks, and compares with the interpreter.

    clusters_test.py TILESCOPE TILESCOPE_EMULATE [--keep DIR]

Some keep each block to its own part of the data; in others blocks read each other's shared memory.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from run_cases import run_cases

HEAD = '''
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = {grid}
# [args]
{args}
# [options]
# num_warps = 4
# num_ctas = {ctas}
# ///


@triton.jit
def k({names}):
'''

# Grid, tensors (name, dtype, shape, initial data), body. Numbers are small integers where sums are compared bit by bit.
SMALL = 'init = "randint", low = -4, high = 5'
KERNELS = {
    "add": ([3], [("x", "fp32", [3072], SMALL), ("y", "fp32", [3072], SMALL), ("o", "fp32", [3072], "")], '''
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(o + i, tl.load(x + i) + tl.load(y + i) * tl.num_programs(0))
'''),
    "softmax": ([2], [("x", "fp32", [32, 256], 'init = "randn"'), ("o", "fp32", [32, 256], "")], '''
    i = (tl.program_id(0) * 16 + tl.arange(0, 16))[:, None] * 256 + tl.arange(0, 256)[None, :]
    v = tl.load(x + i)
    e = tl.exp(v - tl.max(v, 1)[:, None])
    tl.store(o + i, e / tl.sum(e, 1)[:, None])
'''),
    "transpose": ([1], [("x", "fp32", [64, 64], SMALL), ("o", "fp32", [64, 64], "")], '''
    i = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    tl.store(o + i, tl.trans(tl.load(x + i)))
'''),
    "bias": ([1], [("x", "fp16", [64, 64], SMALL), ("v", "fp16", [64], SMALL), ("o", "fp16", [64, 64], "")], '''
    c = tl.arange(0, 64)
    i = tl.arange(0, 64)[:, None] * 64 + c[None, :]
    b = tl.load(v + c)
    tl.store(o + i, tl.load(x + i) + b[None, :] * tl.sum(b, 0))
'''),
    "row_sum": ([2], [("x", "fp32", [2, 1024], SMALL), ("o", "fp32", [2], "")], '''
    r = tl.program_id(0)
    tl.store(o + r, tl.sum(tl.load(x + r * 1024 + tl.arange(0, 1024)), 0))
'''),
    "argmax": ([2], [("x", "fp32", [2, 512], SMALL), ("o", "i32", [2], "")], '''
    r = tl.program_id(0)
    tl.store(o + r, tl.argmax(tl.load(x + r * 512 + tl.arange(0, 512)), 0))
'''),
    "scan": ([1], [("x", "fp32", [512], SMALL), ("o", "fp32", [512], "")], '''
    i = tl.arange(0, 512)
    tl.store(o + i, tl.cumsum(tl.load(x + i), 0))
'''),
    "gather": ([1], [("x", "fp32", [512], SMALL), ("p", "i32", [512], 'init = "randint", low = 0, high = 512'),
                     ("o", "fp32", [512], "")], '''
    i = tl.arange(0, 512)
    tl.store(o + i, tl.gather(tl.load(x + i) + 1.0, tl.load(p + i), 0))
'''),
    "histogram": ([1], [("x", "i32", [512], 'init = "randint", low = 0, high = 64'), ("o", "i32", [64], "")], '''
    tl.store(o + tl.arange(0, 64), tl.histogram(tl.load(x + tl.arange(0, 512)), 64))
'''),
    "sort": ([1], [("x", "i32", [128], SMALL), ("o", "i32", [128], "")], '''
    tl.store(o + tl.arange(0, 128), tl.sort(tl.load(x + tl.arange(0, 128))))
'''),
    # One program: of several, any may be the first to add.
    "atomic": ([1], [("x", "fp32", [512], SMALL), ("o", "fp32", [512], 'init = "zeros"'), ("n", "i32", [1], 'init = "full", value = 5'),
                     ("s", "i32", [1, 512], "")], '''
    i = tl.arange(0, 512)
    tl.atomic_add(o + i, tl.load(x + i))
    before = tl.atomic_add(n, 1)
    tl.store(s + tl.program_id(0) * 512 + i, i + before)
'''),
    "matmul_mma": ([1, 2], [("a", "fp16", [32, 64], SMALL), ("b", "fp16", [64, 64], SMALL), ("o", "fp32", [32, 64], "")], '''
    m = tl.arange(0, 32)
    n = tl.program_id(1) * 32 + tl.arange(0, 32)
    d = tl.arange(0, 32)
    acc = tl.zeros((32, 32), tl.float32)
    for i in range(0, 64, 32):
        left = tl.load(a + m[:, None] * 64 + (i + d)[None, :])
        right = tl.load(b + (i + d)[:, None] * 64 + n[None, :])
        acc = tl.dot(left, right, acc)
    tl.store(o + m[:, None] * 64 + n[None, :], acc)
'''),
    "matmul_wgmma": ([1], [("a", "fp16", [128, 128], SMALL), ("b", "fp16", [128, 128], SMALL), ("o", "fp16", [128, 128], "")], '''
    m = tl.arange(0, 128)
    d = tl.arange(0, 64)
    acc = tl.zeros((128, 128), tl.float32)
    for i in range(0, 128, 64):
        left = tl.load(a + m[:, None] * 128 + (i + d)[None, :])
        right = tl.load(b + (i + d)[:, None] * 128 + m[None, :])
        acc = tl.dot(left, right, acc)
    tl.store(o + m[:, None] * 128 + m[None, :], acc.to(tl.float16))
'''),
}
CASES = [(name, ctas) for name in KERNELS for ctas in (2, 4)]
# Exponentials and divisions of a GPU are approximations.
ROUNDED = {"softmax"}


def source(name, ctas):
    grid, tensors, body = KERNELS[name]
    args = []
    for seed, (tensor, dtype, shape, init) in enumerate(tensors):
        seeded = f", {init}" + (f", seed = {seed}" if "rand" in init else "") if init else ""
        args.append(f'# {tensor} = {{ dtype = "{dtype}", shape = {shape}{seeded} }}')
    names = ", ".join(tensor for tensor, *_ in tensors)
    return HEAD.format(grid=grid, args="\n".join(args), ctas=ctas, names=names) + body


def execute(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{pathlib.Path(command[0]).name} {command[1]}: {done.stderr[-1500:]}")


def check(tilescope, emulate, case, keep=None):
    name, ctas = case
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(keep or temporary) / f"{name}_{ctas}"
        for part in ("cpu", "gpu"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        file = folder / "k.py"
        file.write_text(source(name, ctas))
        try:
            execute([tilescope, "package", file, "--target", "cuda:90", "-o", folder / "k.tskernel"])
            execute([tilescope, "run", file, "--on", "cpu", "--interpret", "--dump", folder / "cpu"])
            execute([emulate, folder / "k.tskernel", "--dump", folder / "gpu"])
        except RuntimeError as problem:
            return str(problem)
        for right in sorted((folder / "cpu").iterdir()):
            wanted, have = np.load(right), np.load(folder / "gpu" / right.name)
            same = np.allclose(have, wanted, rtol=1e-5) if name in ROUNDED else np.array_equal(have, wanted)
            if not same:
                return f"`{right.stem}` differs at {np.argwhere(have != wanted)[:4].tolist()}"
    return None


def main():
    tilescope, emulate = sys.argv[1:3]
    keep = sys.argv[4] if sys.argv[3:4] == ["--keep"] else None
    return run_cases(CASES, lambda case: check(tilescope, emulate, case, keep), str)


if __name__ == "__main__":
    sys.exit(main())
