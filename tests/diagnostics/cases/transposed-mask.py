# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A transposed block whose mask is not transposed.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,m=i32,n=i32
@triton.jit
def k(x_ptr, y_ptr, m, n):
    r = tl.arange(0, 16)
    c = tl.arange(0, 64)
    inside = (r[:, None] < m) & (c[None, :] < n)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=inside)
    tl.store(y_ptr + c[:, None] * m + r[None, :], x.T, mask=inside)
#|                                                          ^^^^^^ shape-mismatch: `mask` of shape [16, 64] does not fit the pointers' shape [64, 16]: incompatible dimensions at index 0, 16 and 64
#|   note: the transposed block is `tl.trans(inside)`
#|   from: `inside` of shape [16, 64] is made here
#|   fix: write `tl.trans(inside)` | tl.trans(inside)
