# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp16 matrices, 128 x 256 x 64 tiles and 8 warps; row and column numbers wrap around instead of masks."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_fp16_modulo"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# stride_am = "K"
# stride_ak = 1
# stride_bk = "N"
# stride_bn = 1
# stride_cm = "N"
# stride_cn = 1
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 256
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
def matmul_fp16_modulo(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    band = GROUP_M * tiles_n
    first_m = pid // band * GROUP_M
    height = min(tiles_m - first_m, GROUP_M)
    tile_m = first_m + pid % band % height
    tile_n = pid % band // height
    rows = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    columns = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + rows[:, None] * stride_am + inner[None, :] * stride_ak
    b_tile = b_ptr + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_tile, mask=inner[None, :] < K - k * BLOCK_K, other=0.0)
        b = tl.load(b_tile, mask=inner[:, None] < K - k * BLOCK_K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_tile += BLOCK_K * stride_ak
        b_tile += BLOCK_K * stride_bk
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn, accumulator.to(tl.float16), mask=mask)
