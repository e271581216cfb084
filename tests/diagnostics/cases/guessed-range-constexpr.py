# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `range` in the place of a block of indices.
import triton
import triton.language as tl


@triton.jit
def of_constexpr(x, out, n: tl.constexpr):
    i = range(n)
#|      ^^^^^^^^ unsupported-syntax: a block of indices is `tl.arange(0, n)`
#|   fix: write `tl.arange(0, n)` | tl.arange(0, n)
    tl.store(out + i, tl.load(x + i))
