# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A vector with an element for each row of a matrix.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,s_ptr=*fp32,out_ptr=*fp32,h=i32,w=i32
#| set constexpr B=32,C=64
@triton.jit
def k(x_ptr, s_ptr, out_ptr, h, w, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * C + tl.arange(0, C)
    m = (i[:, None] < h) & (j[None, :] < w)
    t = tl.load(x_ptr + i[:, None] * w + j[None, :], mask=m, other=0.0)
    s = tl.load(s_ptr + i, mask=i < h, other=0.0)
    a = t * s
#|      ^^^^^ shape-mismatch: incompatible dimensions at index 1: 64 and 32
#|   note: `s` has an element for each row: `s[:, None]` makes it a column
#|   fix: write `s[:, None]` | s[:, None]
    b = t - tl.sum(t, axis=1)
#|      ^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 1: 64 and 32
#|   fix: write `tl.sum(t, axis=1)[:, None]` | tl.sum(t, axis=1)[:, None]
    c = x_ptr + i * w + j
#|      ^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 32 and 64
#|   note: rows go down and columns go right: `x_ptr + i[:, None] * w + j[None, :]`
#|   fix: write `x_ptr + i[:, None] * w + j[None, :]`
    d = t - t.mean(axis=1, keepdims=True)
#|            ^^^^ unknown-attribute: no attribute `mean`
#|   note: out: `tl.sum(t, axis=1, keep_dims=True) / n`
    tl.store(out_ptr + i[:, None] * w + j[None, :], t, mask=m)
