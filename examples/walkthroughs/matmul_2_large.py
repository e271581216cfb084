# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Matrix product C = A x B. One of the steps of docs/guide/walkthrough-matmul.md."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 8192
# N = 8192
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = "128"
# BLOCK_N = "128"
# BLOCK_K = "64"
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# bytes = "2 * M * K + 2 * K * N + 2 * M * N"
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_m = pid // tiles_n
    tile_n = pid % tiles_n

    rows = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    columns = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N))[None, :]
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a_inner = k + inner[None, :]
        b_inner = k + inner[:, None]
        a = tl.load(a_ptr + rows * K + a_inner, mask=(rows < M) & (a_inner < K), other=0.0)
        b = tl.load(b_ptr + b_inner * N + columns, mask=(b_inner < K) & (columns < N), other=0.0)
        total = tl.dot(a, b, total)
    inside = (rows < M) & (columns < N)
    tl.store(c_ptr + rows * N + columns, total.to(tl.float16), mask=inside)
