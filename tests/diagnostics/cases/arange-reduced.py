# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# All indices of an axis that a product or a sum goes over: a block of the size of another axis would take
# the first of them only.
import triton
import triton.language as tl


#| set signature a=*fp16,b=*fp16,c=*fp32,M=i32,N=i32,K=i32
#| set constexpr B=64
@triton.jit
def matmul(a, b, c, M, N, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    k = tl.arange(0, K)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `K` (int32) is known at run time
#|   note: would be only the first `B` of `K`, and what is reduced would leave out the others: a loop takes all, `for start in range(0, K, B):` with `start + tl.arange(0, B)`
    x = tl.load(a + i[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + j[None, :])
    tl.store(c + i[:, None] * N + j[None, :], tl.dot(x, y))
