# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
import triton
import triton.language as tl


@triton.jit
def k(x, y):
    y = x.T
#|      ^^^ bad-argument: `.T` needs a block of rank 2, got pointer<fp32>
    z = x.mean()
#|        ^^^^ unknown-attribute: has no attribute `mean`
#|   note: `x` is a pointer: load its elements first
#|   note: divide the sum by the number of elements that count
