# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index that a loop counts at run time, and an offset that is a real number.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*i32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    w = [1, 2, 3]
    for j in range(3):
        x = x + w[j]
#|                ^ not-constexpr: an index must be a constexpr
#|   note: in a loop over `tl.static_range`, which is unrolled, `j` is one in each turn
#|   fix: write `tl.static_range` | tl.static_range
    tl.atomic_add(y_ptr + x, 1, mask=i < n)
#|                ^^^^^^^^^ type-mismatch: only integers can be added to a pointer
#|   note: `x.to(tl.int32)` cuts what is behind the point off
#|   fix: write `x.to(tl.int32)` | x.to(tl.int32)
    tl.store(y_ptr + (x + 1.5), i, mask=i < n)
#|           ^^^^^^^^^^^^^^^^^ type-mismatch: only integers can be added to a pointer
#|   fix: write `(x + 1.5).to(tl.int32)` | (x + 1.5).to(tl.int32)
