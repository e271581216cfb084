# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a person can do about it.
import math

import numpy as np
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from typing import NamedTuple


class Pair(NamedTuple):
    first: tl.tensor
    second: tl.tensor


#| set kernel k
#| set signature x_ptr=*fp32,i_ptr=*i32,n=i32,f=fp32
#| set constexpr B=64
@triton.jit
def three(a, b, c):
    return a + b + c


@triton.jit
def first(count: tl.constexpr):
    return tl.arange(0, count)
#|                      ^^^^^ not-constexpr: the bounds of `tl.arange` must be `tl.constexpr`, and `count` (int32) is known at run time
#|   note: `count` is declared a constexpr, but the call passes a run-time value
#|   from: `first` is called here


@triton.jit
def k(x_ptr, i_ptr, n, f, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    a = math.exp(x)
#|               ^ not-constexpr: `math.exp` needs constexprs, got fp32[64]
#|   note: kernels have `tl.exp`
    b = np.exp(x)
#|      ^^^^^^^^^ import-not-found: `numpy.exp` cannot be used in a kernel: it runs on the CPU, outside of kernels
#|   note: kernels have `tl.exp`
    c = torch.tanh(x)
#|      ^^^^^^^^^^^^^ import-not-found: `torch.tanh` cannot be used in a kernel: it runs on the CPU, outside of kernels
#|   note: kernels have `libdevice.tanh`
    d = tl.tanh(x)
#|         ^^^^ unknown-attribute: no attribute `tanh`
#|   note: `libdevice.tanh` is such a function
    e = libdevice.tanh(y=x)
#|                     ^ bad-call: `libdevice.tanh` has no parameter `y`
#|   note: its parameters are `arg0`
    g = tl.load(x_ptr + i, mask=tl.arange(0, 32) < n)
#|                              ^^^^^^^^^^^^^^^^^^^^ shape-mismatch: `mask` of shape [32] does not fit the pointers' shape [64]: incompatible dimensions at index 0, 32 and 64
    tl.store(x_ptr + i, tl.zeros((32,), tl.float32))
#|                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: `value` of shape [32] does not fit the pointers' shape [64]
    tl.store(x_ptr, x)
#|                  ^ shape-mismatch: `x_ptr` is the address of one element, and `x` is a block of 64: add the offsets to the pointer, `x_ptr + i`
#|   fix: write `x_ptr + i`
    h = tl.load(x_ptr + i, mask=n)
#|                              ^ type-mismatch: `n` is a number: a mask says for each element whether it counts: `mask=i < n`
#|   fix: write `i < n`
    size = 4
    j = tl.arange(0, size)
#|                   ^^^^ not-constexpr: the bounds of `tl.arange` must be `tl.constexpr`, and `size` (int32) is known at run time
#|   from: the assignment makes `size` a run-time value
    l = tl.zeros((n, 2), tl.float32)
#|               ^^^^^^ not-constexpr: argument `shape` of `zeros` must consist of constexpr integers, got int32
#|   note: declare the parameter as `n: tl.constexpr`
    m = tl.arange(3, B)
#|                   ^ bad-shape: arange's range must be a power of 2, but is 61, from 3 to 64
#|   note: begin at 0
    o = Pair(n, f).third
#|                 ^^^^^ unknown-attribute: has no attribute `third`
#|   note: its fields are `first`, `second`
    p = x.to("fp16")
#|           ^^^^^^ bad-argument: must be a dtype such as `tl.float32`
#|   note: write `tl.float16`
    q = x.dtype.is_floting()
#|              ^^^^^^^^^^ unknown-attribute: `is_floting`
#|   note: did you mean
    r = tl.reduce(x, 0, three)
#|                      ^^^^^ bad-call: the combine function of `reduce` must take 2 arguments for 1 input, but `three` takes 3
    s = max(x)
#|      ^^^^^^ bad-call: `max` needs at least two values
#|   note: `tl.max(x)`
    t = tl.atomic_cas(i_ptr, 0.5, 1)
#|                           ^^^ type-mismatch: the pointer points to `int32`, but the value is `fp32`
    u = tl.max(x, return_indices=True)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ static-assert-failed: `max`: an index is along an axis: state it, as `axis=0` does
    v = tl.umulhi(i, x)
#|                ^ dtype-unsupported: expected dtype
    w = tl.program_id(dim=0)
#|                    ^^^ bad-call: `program_id` has no parameter `dim`
#|   note: did you mean `axis`?
    print(x)
#|        ^ bad-argument: the first argument of `print` is the text to print before the values
#|   note: write `print("x", x)`
    for step in range(0, n, 0):
#|              ^^^^^^^^^^^^^^ bad-argument: the step of a loop must not be zero
        tl.store(x_ptr + step, 1.0)
    total = 0.0
    for at in range(n):
        total += tl.load(x_ptr + at + i)
#|      ^^^^^ loop-carried-type: loop-carried variable `total`
#|   note: begin with `total = tl.zeros([B], dtype=tl.float32)`
#|   fix: begin with `total = tl.zeros([B], dtype=tl.float32)` | tl.zeros([B], dtype=tl.float32)
#|   from: it gets its first value here
    narrow = tl.zeros((B,), tl.float16)
    for at in range(n):
        narrow += x
#|      ^^^^^^ loop-carried-type: loop-carried variable `narrow`
#|   note: convert what is assigned, `.to(tl.float16)`, or begin with tl.float32
    if n > 4:
#|  ^~ branch-type: mismatched type for `z`
#|   from: `z` is `int32` here
#|   from: `z` is `fp32` here
        z = 1
    else:
        z = 1.0
#|   from: `z` is `int32` here
#|   from: `z` is `fp32` here
    y = i < n & i > 3
#|      ^^^^^^^^^^^^^ unsupported-syntax: comparisons on both sides of `&` need parentheses: `(a < b) & (c < d)`
#|   note: without them Python takes the values beside `&` and `|` together first
#|   fix: write `(i < n) & (i > 3)` | (i < n) & (i > 3)
    y = 0 < i <= n
#|      ^^^^^^^^^^ unsupported-syntax: a kernel compares two values at a time
#|   note: write `(a < b) & (b < c)`
#|   fix: write `(0 < i) & (i <= n)` | (0 < i) & (i <= n)
    half = tl.load(x_ptr + n / 2)
#|                         ^^^^^ type-mismatch: an offset from a pointer counts elements, so it is an integer: this is `fp32`
#|   note: `/` always makes a float; `//` divides integers and rounds toward zero
#|   fix: write `n // 2` | n // 2
    first(n)
    (1, 2)[2]
#|  ^^^^^^^^^ constant-evaluation: IndexError: tuple index out of range: the index is 2, and the tuple has 2 items
    n[0]
#|  ^^^^ type-mismatch: `int32` is not subscriptable: a scalar has no elements
    x[0] = 1.0
#|  ^^^^ unsupported-syntax: a block cannot be changed in place: `x = tl.where(tl.arange(0, B) == 0, 1.0, x)`
#|   note: `tl.store` writes to memory
    while True:
#|        ^^^^ ambiguous-condition: it is always true
#|   note: make the condition depend on a value that the loop changes
        n += 1
