# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Transpose of a bf16 matrix through square tiles."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose_tiles"
# grid = ["cdiv(M, BLOCK)", "cdiv(N, BLOCK)"]
# [sizes]
# M = 8192
# N = 16384
# [args]
# x_ptr = { dtype = "bf16", shape = ["M", "N"], init = "randn", seed = 0 }
# out_ptr = { dtype = "bf16", shape = ["N", "M"] }
# [constexprs]
# BLOCK = 64
# [options]
# num_warps = 4
# [work]
# bytes = "4 * M * N"
# ///


@triton.jit
def transpose_tiles(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :],
                mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(out_ptr + columns[:, None] * M + rows[None, :], tl.trans(x),
             mask=(columns[:, None] < N) & (rows[None, :] < M))
