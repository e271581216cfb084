# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a reduction combines with is a function, and no parameter.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.reduce(x, 0, times))
#|                                    ^^^^^ undefined-name: `times` is not defined
#|   note: it is to be a function: write `@triton.jit`, and below it `def times(a, b): return …`, in front of this one
