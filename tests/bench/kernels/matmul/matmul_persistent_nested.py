# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Persistent product with one loop over tiles and an inner one over steps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_persistent_nested"
# grid = ["min(132, cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N))"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "bf16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "bf16", shape = ["N", "K"], init = "randn", seed = 1 }
# c_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 256
# BLOCK_K = 64
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# bytes = "2 * (M * K + K * N + M * N)"
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_persistent_nested(
    a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    for tile in range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0)):
        rows = (tile % tiles_m) * BLOCK_M + tl.arange(0, BLOCK_M)
        columns = (tile // tiles_m) * BLOCK_N + tl.arange(0, BLOCK_N)
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
        tl.store(c_ptr + rows[:, None] * N + columns[None, :], accumulator.to(tl.bfloat16), mask=mask)
