# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of a mixture of experts: rows are gathered by sorted token numbers, each block of rows has one expert."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "moe_grouped_gemm"
# grid = ["cdiv(rows, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# tokens = 4096
# rows = 8192
# experts = 8
# N = 4096
# K = 2048
# [args]
# a_ptr = { dtype = "bf16", shape = ["tokens", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "bf16", shape = ["experts", "N", "K"], init = "randn", seed = 1, scale = 0.05 }
# token_ptr = { dtype = "i32", shape = ["rows"], init = "randint", seed = 2, high = "tokens" }
# expert_ptr = { dtype = "i32", shape = ["cdiv(rows,64)"], init = "randint", seed = 3, high = "experts" }
# weight_ptr = { dtype = "fp32", shape = ["rows"], init = "rand", seed = 4 }
# c_ptr = { dtype = "bf16", shape = ["rows", "N"] }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 128
# BLOCK_K = 64
# GROUP_M = 8
# [options]
# num_warps = 4
# num_stages = 4
# [work]
# flops = "2 * rows * N * K"
# ///


@triton.jit
def moe_grouped_gemm(
    a_ptr, b_ptr, token_ptr, expert_ptr, weight_ptr, c_ptr, rows, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(rows, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    band = GROUP_M * tiles_n
    first_m = pid // band * GROUP_M
    height = min(tiles_m - first_m, GROUP_M)
    tile_m = first_m + pid % band % height
    tile_n = pid % band // height
    row = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    inside = row < rows
    token = tl.load(token_ptr + row, mask=inside, other=0)
    expert = tl.load(expert_ptr + tile_m).to(tl.int64)
    columns = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + token[:, None] * K + inner[None, :]
    b_tile = b_ptr + expert * N * K + columns[None, :] * K + inner[:, None]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_tile, mask=inside[:, None] & (inner[None, :] < K - k), other=0.0)
        b = tl.load(b_tile, mask=inner[:, None] < K - k, other=0.0)
        accumulator += tl.dot(a, b)
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    weight = tl.load(weight_ptr + row, mask=inside, other=0.0)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_tile = c_ptr + row[:, None] * N + columns[None, :]
    result = (accumulator * weight[:, None]).to(tl.bfloat16)
    tl.store(c_tile, result, mask=inside[:, None] & (columns[None, :] < N))
