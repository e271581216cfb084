# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Split-K product of fp16 matrices whose parts are added atomically as fp32."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_split_k_fp32"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)", "SPLIT_K"]
# [sizes]
# M = 1024
# N = 2048
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], init = "zeros" }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# SPLIT_K = 4
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_split_k_fp32(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.program_id(1) * BLOCK_K + tl.arange(0, BLOCK_K)
    a_tile = a_ptr + (rows % M)[:, None] * K + inner[None, :]
    b_tile = b_ptr + inner[:, None] * N + (columns % N)[None, :]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        left = K - k * BLOCK_K * SPLIT_K
        a = tl.load(a_tile, mask=inner[None, :] < left, other=0.0)
        b = tl.load(b_tile, mask=inner[:, None] < left, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_tile += BLOCK_K * SPLIT_K
        b_tile += BLOCK_K * SPLIT_K * N
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.atomic_add(c_ptr + rows[:, None] * N + columns[None, :], accumulator, mask=mask, sem="relaxed")
