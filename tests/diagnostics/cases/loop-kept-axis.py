# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A running maximum that becomes a matrix, since a reduction keeps its axis: what comes of it is no error of its own.
import triton
import triton.language as tl


#| set kernel k
#| set signature x_ptr=*fp32,o_ptr=*fp32,n=i32
#| set constexpr B=32
@triton.jit
def k(x_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = tl.full([B], float("-inf"), dtype=tl.float32)
    l = tl.zeros([B], dtype=tl.float32)
    total = tl.zeros([B], dtype=tl.float32)
    acc = tl.zeros([B, B], dtype=tl.float32)
    column = tl.zeros([B, 1], dtype=tl.float32)
    for j in range(0, n, B):
        s = tl.load(x_ptr + i[:, None] * n + j + i[None, :])
        mn = tl.maximum(m, tl.max(s, axis=1, keep_dims=True))
#|                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loop-carried-type: `m` begins with the shape [32], and together with this reduction, whose shape is [32, 1] because of `keep_dims=True`, it becomes [32, 32]: a loop-carried variable keeps its shape
#|   note: without `keep_dims=True` the reduction has the shape [32], too; `x[:, None]` makes a column of such a block `x`
#|   from: it gets its first value here
#|   fix: leave `keep_dims=True` out
        alpha = tl.exp(m - mn)
        p = tl.exp(s - mn[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p, s, acc)
        m = mn
        total += tl.sum(s, 1, keep_dims=True)
#|               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loop-carried-type: `total` begins with the shape [32], and together with this reduction
        # Both keep their axes, and a matrix of sums of pairs is carried by nothing.
        column = tl.maximum(column, tl.max(s, axis=1, keep_dims=True))
        pairs = tl.max(s, axis=1) + tl.max(s, axis=1, keep_dims=True)
        acc += pairs
    tl.store(o_ptr + i[:, None] * B + i[None, :], acc + column + l[:, None])
