# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A range of Python's over an axis that is summed: a block would take the first elements only.
import triton
import triton.language as tl


#| set signature a=*fp32,c=*fp32,M=i32,K=i32
#| set constexpr B=64
@triton.jit
def row_sums(a, c, M, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    k = range(K)
#|      ^^^^^^^^ unsupported-syntax: `range` counts a loop; a block of indices is `tl.arange(0, B)`
#|   note: would be only the first `B` of `K`
    x = tl.load(a + i[:, None] * K + k[None, :])
    tl.store(c + i, tl.sum(x, axis=1))
