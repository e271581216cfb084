#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Multiplies matrices of every element type and checks each product exactly.

    dot_test.py TILESCOPE TILESCOPE_EMULATE

Factors are small integers, which all types hold and whose sums no accumulator rounds: compiled code, executed
in the emulator, must give what NumPy gives, to the last bit. A lane that reads a neighbour's element is seen.
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
# kernel = "product"
# grid = [1]
# [args]
# a_ptr = {{ dtype = "{a}", shape = [{batch}, {m}, {k}], init = "randint", low = -{most_a}, high = "{most_a} + 1", seed = 1 }}
# b_ptr = {{ dtype = "{b}", shape = [{batch}, {k}, {n}], init = "randint", low = -{most_b}, high = "{most_b} + 1", seed = 2 }}
# c_ptr = {{ dtype = "{c}", shape = [{batch}, {m}, {n}], init = "randint", low = -9, high = 9, seed = 3 }}
# d_ptr = {{ dtype = "{d}", shape = [{batch}, {m}, {n}] }}
# [options]
# num_warps = {warps}
# ///


@triton.jit
def product(a_ptr, b_ptr, c_ptr, d_ptr):
    rows = tl.arange(0, {m})
    inner = tl.arange(0, {k})
    columns = tl.arange(0, {n})
{body}
'''

PLAIN = '''
    a = tl.load(a_ptr + rows[:, None] * {k} + inner[None, :]){cast_a}
    b = tl.load(b_ptr + inner[:, None] * {n} + columns[None, :]){cast_b}
    at = rows[:, None] * {n} + columns[None, :]
    c = tl.load(c_ptr + at)
    d = tl.dot(a, b, c, input_precision="{precision}", out_dtype=tl.{out})
    tl.store(d_ptr + at, d)
'''
# The second factor is loaded columns first.
TRANSPOSED = '''
    a = tl.load(a_ptr + rows[:, None] * {k} + inner[None, :]){cast_a}
    b = tl.trans(tl.load(b_ptr + inner[None, :] * {n} + columns[:, None])){cast_b}
    at = rows[:, None] * {n} + columns[None, :]
    c = tl.load(c_ptr + at)
    d = tl.dot(a, b, c, input_precision="{precision}", out_dtype=tl.{out})
    tl.store(d_ptr + at, d)
'''
# (a b) b': the first product becomes a factor. Needs n == k.
CHAINED = '''
    a = tl.load(a_ptr + rows[:, None] * {k} + inner[None, :]){cast_a}
    b = tl.load(b_ptr + inner[:, None] * {n} + columns[None, :]){cast_b}
    at = rows[:, None] * {n} + columns[None, :]
    c = tl.load(c_ptr + at)
    first = tl.dot(a, b, input_precision="{precision}", out_dtype=tl.{out})
    d = tl.dot(first.to(a.dtype), b, c, input_precision="{precision}", out_dtype=tl.{out})
    tl.store(d_ptr + at, d)
'''
LOOP = '''
    c = tl.zeros(({m}, {n}), tl.{out})
    for start in range(0, {k}, {step}):
        part = start + tl.arange(0, {step})
        a = tl.load(a_ptr + rows[:, None] * {k} + part[None, :]){cast_a}
        b = tl.load(b_ptr + part[:, None] * {n} + columns[None, :]){cast_b}
        c = tl.dot(a, b, c, input_precision="{precision}", out_dtype=tl.{out})
    at = rows[:, None] * {n} + columns[None, :]
    tl.store(d_ptr + at, c + tl.load(c_ptr + at))
'''
# All tiles in one loop: what a tile needs is carried around it, and changes in branches.
PERSISTENT = '''
    num_columns: tl.constexpr = {n} // 32
    num_steps: tl.constexpr = {k} // {step}
    tile = -1
    step = -1
    row = tl.arange(0, 32)
    column = tl.arange(0, 32)
    c = tl.zeros((32, 32), tl.{out})
    for _ in range(0, {m} // 32 * num_columns * num_steps):
        step = tl.where(step == num_steps - 1, 0, step + 1)
        if step == 0:
            tile += 1
            row = tile // num_columns * 32 + tl.arange(0, 32)
            column = tile % num_columns * 32 + tl.arange(0, 32)
        part = step * {step} + tl.arange(0, {step})
        a = tl.load(a_ptr + row[:, None] * {k} + part[None, :]){cast_a}
        b = tl.load(b_ptr + part[:, None] * {n} + column[None, :]){cast_b}
        c = tl.dot(a, b, c, input_precision="{precision}", out_dtype=tl.{out})
        if step == num_steps - 1:
            at = row[:, None] * {n} + column[None, :]
            tl.store(d_ptr + at, c + tl.load(c_ptr + at))
            c = tl.zeros((32, 32), tl.{out})
'''
BATCHED = '''
    batch = tl.arange(0, {batch})[:, None, None]
    a = tl.load(a_ptr + batch * {m} * {k} + rows[None, :, None] * {k} + inner[None, None, :]){cast_a}
    b = tl.load(b_ptr + batch * {k} * {n} + inner[None, :, None] * {n} + columns[None, None, :]){cast_b}
    at = batch * {m} * {n} + rows[None, :, None] * {n} + columns[None, None, :]
    c = tl.load(c_ptr + at)
    d = tl.dot(a, b, c, input_precision="{precision}", out_dtype=tl.{out})
    tl.store(d_ptr + at, d)
'''

# name: type in memory, cast, type of the accumulator, precision
FACTORS = {
    "fp16": ("fp16", "", "float32", "fp32", "tf32"),
    "fp16 into fp16": ("fp16", "", "float16", "fp16", "tf32"),
    "bf16": ("fp32", ".to(tl.bfloat16)", "float32", "fp32", "tf32"),
    "tf32": ("fp32", "", "float32", "fp32", "tf32"),
    "ieee": ("fp32", "", "float32", "fp32", "ieee"),
    "int8": ("i8", "", "int32", "i32", "tf32"),
    "e4m3": ("fp32", ".to(tl.float8e4nv)", "float32", "fp32", "tf32"),
    "e5m2": ("fp32", ".to(tl.float8e5)", "float32", "fp32", "tf32"),
    "int8 as fp16": ("i8", ".to(tl.float16)", "float32", "fp32", "tf32"),
}
# Factors that take several parts, and the largest numbers of each: with 4, one part holds a number, and the product of
# two small parts is left out by the precisions of three products.
PARTS = {
    "tf32x3 left": ("tf32x3", 5000, 4), "tf32x3 right": ("tf32x3", 4, 5000),
    "bf16x3 left": ("bf16x3", 900, 4), "bf16x3 right": ("bf16x3", 4, 900),
    "bf16x6": ("bf16x6", 300, 300),
}
for part_name, (part_precision, _, _) in PARTS.items():
    FACTORS[part_name] = ("fp32", "", "float32", "fp32", part_precision)


def cases():
    for name in FACTORS:
        for shape, warps in (((16, 16, 32), 1), ((64, 32, 32), 4), ((32, 64, 64), 8)):
            yield name, PLAIN, shape, warps, "cuda:90", 1
        yield name, TRANSPOSED, (32, 32, 32), 4, "cuda:80" if name != "e4m3" else "cuda:89", 1
        yield name, LOOP, (32, 32, 128), 4, "cuda:90", 1
        # 64 rows and more are for groups of four warps.
        for shape, warps in (((64, 32, 64), 4), ((128, 64, 64), 8), ((64, 128, 32), 8)):
            yield name, PLAIN, shape, warps, "cuda:90", 1
        yield name, TRANSPOSED, (64, 64, 64), 4, "cuda:90", 1
        yield name, LOOP, (64, 64, 256), 4, "cuda:90", 1
    for name in ("fp16", "bf16", "tf32"):
        yield name, CHAINED, (64, 32, 32), 4, "cuda:90", 1
        yield name, CHAINED, (128, 64, 64), 8, "cuda:90", 1
        yield name, BATCHED, (16, 16, 32), 4, "cuda:90", 2
        for target in ("cuda:80", "cuda:90"):
            yield name, PERSISTENT, (64, 64, 128), 4, target, 1
    for name in ("e4m3", "e5m2"):
        yield name, PLAIN, (32, 32, 64), 4, "cuda:89", 1
        yield name, PLAIN, (32, 32, 64), 4, "cuda:120", 1


def check(tilescope, emulate, case):
    name, body, (m, n, k), warps, target, batch = case
    memory, cast, out, result, precision = FACTORS[name]
    values = dict(m=m, n=n, k=k, batch=batch, warps=warps, step=32, a=memory, b=memory, c=result, d=result,
                  cast_a=cast, cast_b=cast, out=out, precision=precision)
    _, values["most_a"], values["most_b"] = PARTS.get(name, (None, *(2 * [1 if body is CHAINED else 4])))
    text = KERNEL.format(**values, body=body.format(**values))
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = pathlib.Path(name_of_folder)
        source = folder / "product.py"
        source.write_text(text)
        problem = run_emulated(tilescope, emulate, source, target, folder)
        if problem:
            return problem
        a, b, c, d = (np.load(folder / f"{letter}_ptr.npy").astype(np.float64) for letter in "abcd")
        expected = (a @ b @ b if body is CHAINED else a @ b) + c
        wrong = np.argwhere(d != expected)
        if len(wrong):
            return f"{len(wrong)} of {d.size} elements are wrong, the first at {tuple(wrong[0])}"
    return None


def describe(case):
    name, body, (m, n, k), warps, target, batch = case
    form = {PLAIN: "plain", TRANSPOSED: "transposed", CHAINED: "chained", LOOP: "loop", BATCHED: "batched",
            PERSISTENT: "persistent"}[body]
    return f"{name}, {form}, {batch} x {m} x {n} x {k}, {warps} warps, {target}"


def main():
    tilescope, emulate = sys.argv[1:3]
    return run_cases(cases(), lambda case: check(tilescope, emulate, case), describe)


if __name__ == "__main__":
    sys.exit(main())
