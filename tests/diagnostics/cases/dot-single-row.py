# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index down the rows that is missing leaves a factor with one row: transposed, the product would have one column.
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, N, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(a_ptr + i[:, None] * N + i[None, :])
    b = tl.load(b_ptr + i[None, :] * N + i[None, :])
    c = tl.dot(a, b)
#|                ^ shape-mismatch: first input shape
#|   from: `b` of shape
#|   note: the second input has a single row
    tl.store(c_ptr + i[:, None] * N + i[None, :], c)
