# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of an array that is loaded from, an item is no item of a tuple either.
import triton
import triton.language as tl


@triton.jit
def shifted(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n) - x[0]
#|                                   ^^^^ bad-argument: `x` is a pointer and cannot be indexed: load its elements with `tl.load(x)`
    tl.store(out + i, v, mask=i < n)
