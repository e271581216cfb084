# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of int8 matrices with int32 sums, scaled for each row and each column."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_int8"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "i8", shape = ["M", "K"], init = "randint", seed = 0, low = -127, high = 128 }
# b_ptr = { dtype = "i8", shape = ["N", "K"], init = "randint", seed = 1, low = -127, high = 128 }
# a_scale_ptr = { dtype = "fp32", shape = ["M"], init = "rand", seed = 2, high = 0.01 }
# b_scale_ptr = { dtype = "fp32", shape = ["N"], init = "rand", seed = 3, high = 0.01 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 128
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_int8(
    a_ptr, b_ptr, a_scale_ptr, b_scale_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + rows[:, None] * K + inner[None, :]
    b_tile = b_ptr + columns[None, :] * K + inner[:, None]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_tile, mask=(rows[:, None] < M) & (inner[None, :] + k < K), other=0)
        b = tl.load(b_tile, mask=(columns[None, :] < N) & (inner[:, None] + k < K), other=0)
        accumulator += tl.dot(a, b)
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    a_scale = tl.load(a_scale_ptr + rows, mask=rows < M, other=0.0)
    b_scale = tl.load(b_scale_ptr + columns, mask=columns < N, other=0.0)
    c = accumulator.to(tl.float32) * a_scale[:, None] * b_scale[None, :]
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], c.to(tl.float16), mask=mask)
