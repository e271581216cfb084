# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Addresses that are a column, and what is stored there is none.
import triton
import triton.language as tl


#| set kernel k
#| set signature x_ptr=*fp32,o_ptr=*fp32,n=i32
#| set constexpr B=32
@triton.jit
def k(x_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.arange(0, B)
    x = tl.load(x_ptr + i[:, None] * B + j[None, :])
    total = tl.sum(x, axis=1)
    tl.store(o_ptr + n + i[:, None], total + 1, mask=i < n)
#|           ^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: the pointers are a column of shape [32, 1], and `total + 1` has the shape [32], which counts as a row
#|   note: one element for each of `i` goes to `i` as it is, without `[:, None]`
#|   fix: write `i` | i
    tl.store(o_ptr + i[:, None], total, mask=i[:, None] < n)
#|           ^^^^^^^^^^^^^^^^^^ shape-mismatch: the pointers are a column of shape [32, 1], and `total` has the shape [32], which counts as a row
#|   note: `total[:, None]` is a column
#|   fix: write `total[:, None]` | total[:, None]
    tl.store(o_ptr + i[:, None], total[:, None], mask=i < n)
#|           ^^^^^^^^^^^^^^^^^^ shape-mismatch: the pointers are a column of shape [32, 1], and `i < n` has the shape [32], which counts as a row
#|   note: `(i < n)[:, None]` is a column
#|   fix: write `(i < n)[:, None]` | (i < n)[:, None]
    tl.store(o_ptr + i[:, None], x)
#|                               ^ shape-mismatch: `value` of shape [32, 32] does not fit the pointers' shape [32, 1]
#|   note: each row has one address: add the offsets of its columns to the pointers
    tl.store(o_ptr + i[:, None], total[:, None], mask=i[:, None] < n)
    tl.store(o_ptr + i[None, :], total)
