# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The mask stands where the value belongs.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    mask = i < n
    x = tl.load(x_ptr + i, mask)
    tl.store(y_ptr + i, mask, x * 2)
#|                            ^^^^^ type-mismatch: `tl.store` takes the value before the mask: `x * 2` of type fp32[128] is not a mask, and `mask` is one
#|   note: the order is `tl.store(y_ptr + i, x * 2, mask)`
#|   fix: write `x * 2, mask` | x * 2, mask
    tl.store(y_ptr + i, i < n, mask=x)
#|                                  ^ type-mismatch: mask must have boolean scalar type, got fp32[128]
#|   note: or `x != 0` for the elements where `x` is not 0
