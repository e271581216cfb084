# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def half(x):
    return x * 0.5


@triton.jit
def f(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    return half(x)
#|  ^^^^^^^^^^^^^^ return-type: `f` returns a value, but a kernel returns nothing: store the result with `tl.store`
#|   note: only a function that a kernel calls
