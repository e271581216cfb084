# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Linear layer in bf16: product with a transposed weight, then bias and GELU in the epilogue."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_nt_bias_gelu"
# grid = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["M", "K"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "bf16", shape = ["N", "K"], init = "randn", seed = 1, scale = 0.02 }
# bias_ptr = { dtype = "bf16", shape = ["N"], init = "randn", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# bytes = "2 * (M * K + K * N + M * N)"
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_nt_bias_gelu(
    x_ptr, weight_ptr, bias_ptr, out_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        x = tl.load(x_ptr + rows[:, None] * K + (k + inner)[None, :],
                    mask=(rows[:, None] < M) & ((k + inner)[None, :] < K), other=0.0)
        weight = tl.load(weight_ptr + columns[None, :] * K + (k + inner)[:, None],
                         mask=(columns[None, :] < N) & ((k + inner)[:, None] < K), other=0.0)
        accumulator += tl.dot(x, weight)
    accumulator += tl.load(bias_ptr + columns, mask=columns < N, other=0.0)[None, :].to(tl.float32)
    accumulator = 0.5 * accumulator * (1.0 + tl.erf(accumulator * 0.7071067811865476))
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], accumulator.to(tl.bfloat16), mask=mask)
