# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp32 matrices on the tensor cores as tf32."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_tf32"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 2048
# N = 2048
# K = 2048
# [args]
# a_ptr = { dtype = "fp32", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp32", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 32
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_tf32(
    a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * K + (k + inner)[None, :],
                    mask=(rows[:, None] < M) & ((k + inner)[None, :] < K), other=0.0)
        b = tl.load(b_ptr + (k + inner)[:, None] * N + columns[None, :],
                    mask=((k + inner)[:, None] < K) & (columns[None, :] < N), other=0.0)
        accumulator = tl.dot(a, b, accumulator, input_precision="tf32")
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], accumulator, mask=mask)
