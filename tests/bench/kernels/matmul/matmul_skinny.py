# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product for decoding: sixteen rows of activations against a large bf16 weight, 16 x 64 tiles with long steps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_skinny"
# grid = ["cdiv(N, BLOCK_N)"]
# [sizes]
# M = 16
# N = 16384
# K = 8192
# [args]
# x_ptr = { dtype = "bf16", shape = ["M", "K"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "bf16", shape = ["N", "K"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 16
# BLOCK_N = 64
# BLOCK_K = 128
# [options]
# num_warps = 4
# num_stages = 4
# [work]
# bytes = "2 * N * K"
# ///


@triton.jit
def matmul_skinny(
    x_ptr, weight_ptr, out_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    rows = tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    x_tile = x_ptr + rows[:, None] * K + inner[None, :]
    weight_tile = weight_ptr + columns[None, :] * K + inner[:, None]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        x = tl.load(x_tile, mask=(rows[:, None] < M) & (inner[None, :] + k < K), other=0.0)
        weight = tl.load(weight_tile, mask=(columns[None, :] < N) & (inner[:, None] + k < K), other=0.0)
        accumulator = tl.dot(x, weight, accumulator)
        x_tile += BLOCK_K
        weight_tile += BLOCK_K
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], accumulator.to(tl.bfloat16), mask=mask)
