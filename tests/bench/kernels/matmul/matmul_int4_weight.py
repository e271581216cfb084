# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp16 activations by 4-bit weights, eight to a word, with scales and zeros for groups of 128 rows."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_int4_weight"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 1024
# N = 4096
# K = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "i32", shape = ["K//8", "N"], init = "randint", seed = 1, low = -2147483647, high = 2147483647 }
# scale_ptr = { dtype = "fp16", shape = ["K//128", "N"], init = "rand", seed = 2, high = 0.1 }
# zero_ptr = { dtype = "i32", shape = ["K//128", "N//8"], init = "randint", seed = 3, low = -2147483647, high = 2147483647 }
# out_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 128
# BLOCK_K = 64
# GROUP = 128
# [options]
# num_warps = 4
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_int4_weight(
    x_ptr, weight_ptr, scale_ptr, zero_ptr, out_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    x_tile = x_ptr + rows[:, None] * K + inner[None, :]
    weight_tile = weight_ptr + (inner // 8)[:, None] * N + columns[None, :]
    weight_shift = (inner % 8 * 4)[:, None]
    zero_shift = columns % 8 * 4
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        group = k // GROUP
        scale = tl.load(scale_ptr + group * N + columns)
        zero = (tl.load(zero_ptr + group * (N // 8) + columns // 8) >> zero_shift) & 15
        x = tl.load(x_tile, mask=rows[:, None] < M, other=0.0)
        weight = (tl.load(weight_tile) >> weight_shift) & 15
        weight = (weight - zero[None, :]).to(tl.float16) * scale[None, :]
        accumulator = tl.dot(x, weight, accumulator)
        x_tile += BLOCK_K
        weight_tile += BLOCK_K // 8 * N
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], accumulator.to(tl.float16), mask=rows[:, None] < M)
