# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An extent in the place of a dtype is an extent still. Blocks that index a matrix are its rows and
# columns.
import triton
import triton.language as tl


@triton.jit
def k(c, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros(BM, BN)
#|                 ^^^^^^ bad-call: `zeros` takes the shape as a list, and the type of the elements: `[BM, BN], dtype=tl.float32`
    for j in range(3):
        c[rm, rn] = j
#|      ^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(c + rm[:, None] * stride_c + rn[None, :], j)`
