# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A vector that was made a column, and fits as a row alone.
import triton
import triton.language as tl


#| set signature a_ptr=*fp32,x_ptr=*fp32,y_ptr=*fp32
@triton.jit
def k(a_ptr, x_ptr, y_ptr):
    r = tl.arange(0, 128)
    c = tl.arange(0, 64)
    a = tl.load(a_ptr + r[:, None] * 64 + c[None, :])
    x = tl.load(x_ptr + c)
    y = tl.sum(a * x[:, None], axis=1)
#|             ^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 128 and 64
#|   note: `x[None, :]` is a row and fits
#|   fix: write `x[None, :]` | x[None, :]
    z = tl.load(y_ptr + r)
    w = z[None, :] + a
#|      ^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 1: 128 and 64
#|   note: `z[:, None]` is a column and fits
#|   fix: write `z[:, None]` | z[:, None]
    tl.store(y_ptr + r, y)
