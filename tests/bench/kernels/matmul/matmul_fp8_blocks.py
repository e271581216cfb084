# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp8 matrices with scales for 1 x 128 blocks of activations and 128 x 128 blocks of weights."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_fp8_blocks"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "fp8e4nv", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp8e4nv", shape = ["N", "K"], init = "randn", seed = 1 }
# a_scale_ptr = { dtype = "fp32", shape = ["M", "K//128"], init = "rand", seed = 2 }
# b_scale_ptr = { dtype = "fp32", shape = ["cdiv(N,128)", "K//128"], init = "rand", seed = 3 }
# c_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 128
# BLOCK_K = 128
# [options]
# num_warps = 4
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_fp8_blocks(
    a_ptr, b_ptr, a_scale_ptr, b_scale_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + (rows % M)[:, None] * K + inner[None, :]
    b_tile = b_ptr + (columns % N)[None, :] * K + inner[:, None]
    a_scale_tile = a_scale_ptr + (rows % M) * (K // BLOCK_K)
    b_scale_tile = b_scale_ptr + (columns % N) // 128 * (K // BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K // BLOCK_K):
        a = tl.load(a_tile)
        b = tl.load(b_tile)
        a_scale = tl.load(a_scale_tile + k)
        b_scale = tl.load(b_scale_tile + k)
        accumulator += tl.dot(a, b) * a_scale[:, None] * b_scale[None, :]
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], accumulator.to(tl.bfloat16), mask=mask)
