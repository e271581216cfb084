# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp8 matrices with one scale for each of them."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_fp8"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "fp8e4nv", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp8e4nv", shape = ["N", "K"], init = "randn", seed = 1 }
# c_ptr = { dtype = "bf16", shape = ["M", "N"] }
# scale = 0.5
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 256
# BLOCK_K = 128
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_fp8(
    a_ptr, b_ptr, c_ptr, M, N, K, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tile_m, tile_n = tl.swizzle2d(
        tl.program_id(0) // tl.cdiv(N, BLOCK_N), tl.program_id(0) % tl.cdiv(N, BLOCK_N),
        tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N), 8)
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + (rows % M)[:, None] * K + inner[None, :]
    b_tile = b_ptr + (columns % N)[None, :] * K + inner[:, None]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_tile, mask=inner[None, :] < K - k, other=0.0)
        b = tl.load(b_tile, mask=inner[:, None] < K - k, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], (accumulator * scale).to(tl.bfloat16), mask=mask)
