# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What offsets are added to is an array that lies behind a pointer, whatever is asked of its shape.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, i < n)
    tl.store(out + i, v, i < x.shape[0])
#|                           ^^^^^^^ constant-evaluation: `x` is a pointer and has no shape
#|   fix: write `n`


@triton.jit
def other(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, i < n), i < n)
