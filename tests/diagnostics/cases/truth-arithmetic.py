# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Comparisons are truth values of one bit, and so are their sums.
import triton
import triton.language as tl


#| set kernel k
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    sign = (x > 0) - (x < 0)
#|         ^^^^^^^^^^^^^^^^^ type-mismatch: the difference of two truth values is one, too: false minus true is true
#|   fix: | (x > 0).to(tl.int32) - (x < 0).to(tl.int32)
    low = x < -1
    count = low + (x > 1)
#|          ^^^^^^^^^^^^^ type-mismatch: the sum of two truth values is one, too: true and true make false
#|   fix: | low.to(tl.int32) + (x > 1).to(tl.int32)
    # As it is meant.
    right = (x > 0).to(tl.int32) - (x < 0).to(tl.int32)
    both = (x > 0) * (i < n)
    many = tl.sum(x > 0, axis=0) + (x < 0)
    tl.store(y_ptr + i, tl.where(count, right + both + many, sign), mask=i < n)
