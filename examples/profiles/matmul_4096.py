# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Matrix product C = A x B with the accumulator kept in registers.

Every program owns one tile of C and walks along the inner dimension, multiplying a tile of A by a
tile of B at each step. Programs are numbered so that those running at the same time share tiles of
A and B, which then come out of the L2 cache.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr     = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr     = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr     = { dtype = "fp32", shape = ["M", "N"] }
# M         = "M"
# N         = "N"
# K         = "K"
# stride_am = "K"
# stride_ak = 1
# stride_bk = "N"
# stride_bn = 1
# stride_cm = "N"
# stride_cn = 1
# [constexprs]
# BLOCK_M = "128"
# BLOCK_N = "128"
# BLOCK_K = "64"
# GROUP_M = "8"
# [options]
# num_warps = 8
# [work]
# bytes = "2 * M * K + 2 * K * N + 4 * M * N"
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    # Instead of row by row, tiles of C are visited in bands of GROUP_M rows, column by column.
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_m, tile_n = tl.swizzle2d(pid // tiles_n, pid % tiles_n, tiles_m, tiles_n, GROUP_M)

    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + rows[:, None] * stride_am + inner[None, :] * stride_ak
    b_tile = b_ptr + inner[:, None] * stride_bk + columns[None, :] * stride_bn

    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        # Zeros beyond the edges add nothing to the product.
        a = tl.load(a_tile, mask=(rows[:, None] < M) & (inner[None, :] < K - k), other=0.0)
        b = tl.load(b_tile, mask=(inner[:, None] < K - k) & (columns[None, :] < N), other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_tile += BLOCK_K * stride_ak
        b_tile += BLOCK_K * stride_bk

    c_tile = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tl.store(c_tile, accumulator, mask=(rows[:, None] < M) & (columns[None, :] < N))
