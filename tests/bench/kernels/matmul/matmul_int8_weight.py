# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of bf16 activations by int8 weights, converted in registers and scaled for each column at the end."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_int8_weight"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 2048
# N = 4096
# K = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["M", "K"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "i8", shape = ["K", "N"], init = "randint", seed = 1, low = -127, high = 128 }
# scale_ptr = { dtype = "fp32", shape = ["N"], init = "rand", seed = 2, high = 0.01 }
# out_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_int8_weight(
    x_ptr, weight_ptr, scale_ptr, out_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    x_tile = x_ptr + (rows % M)[:, None] * K + inner[None, :]
    weight_tile = weight_ptr + inner[:, None] * N + (columns % N)[None, :]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        x = tl.load(x_tile, mask=inner[None, :] < K - k, other=0.0)
        weight = tl.load(weight_tile, mask=inner[:, None] < K - k, other=0)
        accumulator = tl.dot(x, weight.to(tl.bfloat16), accumulator)
        x_tile += BLOCK_K
        weight_tile += BLOCK_K * N
    scale = tl.load(scale_ptr + columns, mask=columns < N, other=0.0)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], (accumulator * scale[None, :]).to(tl.bfloat16), mask=mask)
