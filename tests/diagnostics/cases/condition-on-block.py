# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


# A block of one would make it a scalar: that is not what is meant.
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if x > 0:
#|     ^^^^^ ambiguous-condition: use `mask=` or `tl.where`
#|   note: a branch takes one answer
#|   note: `tl.where(x > 0, a, b)` is `a` where it is true
        x = x * 2
    tl.store(y_ptr + i, x, mask=i < n)
