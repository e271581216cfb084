# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Transposes blocks of 128 x 256 with four warps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose_wide"
# grid = [2, 1]
# [args]
# x_ptr = { dtype = "fp32", shape = [256, 256] }
# y_ptr = { dtype = "fp32", shape = [256, 256] }
# M = "256"
# N = "256"
# [constexprs]
# BLOCK_M = "128"
# BLOCK_N = "256"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def transpose_wide(x_ptr, y_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(y_ptr + columns[:, None] * M + rows[None, :], tl.trans(x), mask=(columns[:, None] < N) & (rows[None, :] < M))
