# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An array whose elements were not loaded, and a number that is none.
import triton
import triton.language as tl


@triton.jit
def twice(x, alpha, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = out + i
    v = 2 * x + alpha
#|      ^^^^^^^^^^^^^ bad-argument: `x` is taken for a number; the elements of an array are `tl.load(x + i, mask=i < n)`
#|   fix: write `2 * tl.load(x + i, mask=i < n) + alpha`
    tl.store(p, v, mask=i < n)
    tl.store(p, alpha, mask=i < n)
