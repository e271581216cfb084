# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is summed along the other axis keeps this one, whose other elements other programs may take.
import triton
import triton.language as tl


#| set signature a=*fp32,c=*fp32,M=i32,K=i32
#| set constexpr B=64
@triton.jit
def row_copies(a, c, M, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    k = tl.arange(0, K)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `K` (int32) is known at run time: `tl.arange(0, B)`
#|   note: a mask keeps the indices within the array
#|   fix: write `B` | B
    x = tl.load(a + i[:, None] * K + k[None, :])
    tl.store(c + k, tl.sum(x, axis=0))
