# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Half of a guessed block is not made one element either.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK // 2)
    x = tl.load(x_ptr + i, mask=i < n)
    while x > 1:
#|        ^^^^^ ambiguous-condition: use `mask=` or `tl.where`
        x = x / 2
    tl.store(x_ptr + i, x, mask=i < n)
