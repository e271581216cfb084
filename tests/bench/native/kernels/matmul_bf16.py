# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of two matrices [1024, 1024] of bf16, summed in fp32."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_bf16"
# grid = ["cdiv(n, BLOCK_N)", "cdiv(n, BLOCK_M)"]
# [sizes]
# n = 1024
# [args]
# a_ptr = { dtype = "bf16", shape = ["n", "n"], init = "randn", seed = 0 }
# b_ptr = { dtype = "bf16", shape = ["n", "n"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["n", "n"] }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 128
# BLOCK_K = 64
# [work]
# flops = "2 * n * n * n"
# ///


@triton.jit
def matmul_bf16(a_ptr, b_ptr, c_ptr, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, n, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * n + (k + inner)[None, :])
        b = tl.load(b_ptr + (k + inner)[:, None] * n + columns[None, :])
        total = tl.dot(a, b, total, input_precision="ieee")
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total)
