# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Grouped product: problems of different heights, stacked in memory, share one persistent grid."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_grouped"
# grid = [132]
# [sizes]
# groups = 8
# rows = 8192
# N = 4096
# K = 2048
# [args]
# a_ptr = { dtype = "fp16", shape = ["rows", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["groups", "K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["rows", "N"], init = "zeros" }
# height_ptr = { dtype = "i32", shape = ["groups"], init = "randint", seed = 2, low = "rows//groups//2", high = "rows//groups" }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * rows * 3 // 4 * N * K"
# ///


@triton.jit
def matmul_grouped(
    a_ptr, b_ptr, c_ptr, height_ptr, groups, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    tile = tl.program_id(0)
    inner = tl.arange(0, BLOCK_K)
    tiles_n = tl.cdiv(N, BLOCK_N)
    first_row = 0
    last_tile = 0
    for group in range(groups):
        height = tl.load(height_ptr + group)
        tiles = tl.cdiv(height, BLOCK_M) * tiles_n
        while tile >= last_tile and tile < last_tile + tiles:
            local = tile - last_tile
            rows = local // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
            columns = local % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
            a_tile = a_ptr + (first_row + rows)[:, None] * K + inner[None, :]
            b_tile = b_ptr + group * K * N + inner[:, None] * N + columns[None, :]
            accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for k in range(0, tl.cdiv(K, BLOCK_K)):
                a = tl.load(a_tile, mask=rows[:, None] < height, other=0.0)
                b = tl.load(b_tile)
                accumulator = tl.dot(a, b, accumulator)
                a_tile += BLOCK_K
                b_tile += BLOCK_K * N
            c_tile = c_ptr + (first_row + rows)[:, None] * N + columns[None, :]
            tl.store(c_tile, accumulator.to(tl.float16), mask=rows[:, None] < height)
            tile += tl.num_programs(0)
        last_tile += tiles
        first_row += height
