# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `range` in the place of a block of indices.
import triton
import triton.language as tl


@triton.jit
def of_argument(x, y, out, n):
    i = range(n)
#|      ^^^^^^^^ unsupported-syntax: `range` counts a loop; a block of indices is `tl.arange(0, BLOCK)`
#|   note: `BLOCK` is how many numbers a block holds, a power of 2: add the parameter `BLOCK: tl.constexpr`
#|   fix: write `tl.arange(0, BLOCK)` | tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) + tl.load(y + i))
