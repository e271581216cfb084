# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A matrix times a vector, which no product of matrices is.
import triton
import triton.language as tl


#| set signature a_ptr=*fp32,x_ptr=*fp32,y_ptr=*fp32,n=i32,m=i32
#| set constexpr BM=64
#| set constexpr BK=32
@triton.jit
def k(a_ptr, x_ptr, y_ptr, n, m, BM: tl.constexpr, BK: tl.constexpr):
    i = tl.arange(0, BM)
    j = tl.arange(0, BK)
    a = tl.load(a_ptr + i[:, None] * n + j[None, :])
    x = tl.load(x_ptr + j)
    b = a @ x
#|      ^^^^^ unsupported-syntax: `@` is not supported: use `tl.sum` of the product
#|   note: `tl.dot` multiplies two matrices; of a matrix and a vector, the sums of the products are `tl.sum(a * x[None, :], axis=1)`
#|   fix: | tl.sum(a * x[None, :], axis=1)
    c = tl.load(y_ptr + i) @ a
#|      ^^^^^^^^^^^^^^^^^^^^^^ unsupported-syntax: use `tl.sum` of the product
#|   fix: | tl.sum(tl.load(y_ptr + i)[:, None] * a, axis=0)
    # The extents do not go together.
    d = x @ a
#|      ^^^^^ unsupported-syntax: use `tl.sum` of the product
#|   note: of a matrix and a vector, the sums of the products are `tl.sum(a * x[None, :], axis=1)`
    s = x @ tl.load(y_ptr)
#|      ^^^^^^^^^^^^^^^^^^ unsupported-syntax: a number multiplies each element with `*`
#|   fix: | x * tl.load(y_ptr)
    e = tl.dot(a, x)
#|                ^ shape-mismatch: both inputs of `dot` must have the same rank of at least 2, got fp32[64, 32] and fp32[32]
#|   from: `x` of shape [32] is made here
#|   note: it multiplies two matrices; of a matrix and a vector, the sums of the products are `tl.sum(a * x[None, :], axis=1)`
#|   fix: | tl.sum(a * x[None, :], axis=1)
    f = tl.dot(a, x[:, None])
    tl.store(y_ptr + i, f, mask=i < m)
#|                      ^ shape-mismatch: `f` of shape [64, 1] is a column, and does not fit the pointers' shape [64]
#|   from: `f` of shape [64, 1] is made here
#|   note: the same elements as a block with one dimension are `tl.reshape(f, [BM])`
#|   fix: | tl.reshape(f, [BM])
    tl.store(y_ptr + i, f.T, mask=i < m)
#|                      ^^^ shape-mismatch: `f.T` of shape [1, 64] is a row, and does not fit the pointers' shape [64]
#|   fix: | tl.reshape(f.T, [BM])
