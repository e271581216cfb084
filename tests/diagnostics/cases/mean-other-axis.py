# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mean along the wrong axis.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    r = tl.arange(0, 16)
    c = tl.arange(0, 64)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :])
    tl.store(y_ptr + r, tl.sum(x, axis=0) / n)
#|                      ^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: `value` of shape [64] does not fit the pointers' shape [16]
#|   note: `axis=1` leaves one number for each row of `x`
#|   fix: reduce along axis 1 | 1
