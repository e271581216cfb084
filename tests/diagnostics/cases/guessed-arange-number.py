# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A range as long as the array, in a kernel without a size of blocks.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, n)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `n` (int32) is known at run time: `tl.arange(0, BLOCK)`
#|   note: `BLOCK` is how many numbers a block holds, a power of 2: add the parameter `BLOCK: tl.constexpr`
#|   note: a mask keeps the indices within the array: `mask=i < n` of a load or store at `i`
    a = tl.load(x_ptr + i)
    tl.store(y_ptr + i, a)
