# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Batched product with a bias for each batch and the tanh form of GELU."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_batched_bias_gelu"
# grid = ["cdiv(M, BLOCK_M)", "cdiv(N, BLOCK_N)", "batch"]
# [sizes]
# batch = 32
# M = 1024
# N = 1024
# K = 1024
# [args]
# a_ptr = { dtype = "fp16", shape = ["batch", "M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["batch", "K", "N"], init = "randn", seed = 1, scale = 0.03 }
# bias_ptr = { dtype = "fp16", shape = ["batch", "N"], init = "randn", seed = 2 }
# c_ptr = { dtype = "fp16", shape = ["batch", "M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 32
# [options]
# num_warps = 4
# num_stages = 4
# [work]
# flops = "2 * batch * M * N * K"
# ///


@triton.jit
def matmul_batched_bias_gelu(
    a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    batch = tl.program_id(2)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + batch * M * K + rows[:, None] * K + inner[None, :]
    b_tile = b_ptr + batch * K * N + inner[:, None] * N + columns[None, :]
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_tile, mask=(rows[:, None] < M) & (inner[None, :] + k < K), other=0.0)
        b = tl.load(b_tile, mask=(inner[:, None] + k < K) & (columns[None, :] < N), other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * N
    x = accumulator + tl.load(bias_ptr + batch * N + columns, mask=columns < N, other=0.0)[None, :]
    x = x * tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
    c_tile = c_ptr + batch * M * N + rows[:, None] * N + columns[None, :]
    tl.store(c_tile, x.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))
