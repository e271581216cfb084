# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Persistent product: one loop over tiles times steps of each tile, the tile changes where the step is zero."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_persistent_flat"
# grid = ["min(132, cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N))"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# GROUP_M = 8
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# bytes = "2 * (M * K + K * N + M * N)"
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_persistent_flat(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    start = tl.program_id(0)
    programs = tl.num_programs(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    steps = tl.cdiv(K, BLOCK_K)
    tiles = tiles_m * tiles_n
    mine = tiles // programs
    if start < tiles % programs:
        mine += 1
    tile = start - programs
    ki = -1
    inner = tl.arange(0, BLOCK_K)
    tile_m = 0
    tile_n = 0
    rows = tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, steps * mine):
        ki = tl.where(ki == steps - 1, 0, ki + 1)
        if ki == 0:
            tile += programs
            band = GROUP_M * tiles_n
            first_m = tile // band * GROUP_M
            height = min(tiles_m - first_m, GROUP_M)
            tile_m = first_m + tile % band % height
            tile_n = tile % band // height
            rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
            columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
            rows = tl.max_contiguous(tl.multiple_of(tl.where(rows < M, rows, 0), BLOCK_M), BLOCK_M)
            columns = tl.max_contiguous(tl.multiple_of(tl.where(columns < N, columns, 0), BLOCK_N), BLOCK_N)
        k = ki * BLOCK_K + inner
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + columns[None, :], mask=k[:, None] < K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        if ki == steps - 1:
            r = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
            c = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
            mask = (r[:, None] < M) & (c[None, :] < N)
            tl.store(c_ptr + r[:, None] * N + c[None, :], accumulator.to(tl.float16), mask=mask)
            accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
