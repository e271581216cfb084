# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""fp32 without tensor cores, blocks of 256 x 256 x 16."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "ieee_matmul"
# grid = [2, 2]
# [args]
# a_ptr = { dtype = "fp32", shape = [512, 512] }
# b_ptr = { dtype = "fp32", shape = [512, 512] }
# c_ptr = { dtype = "fp32", shape = [512, 512] }
# M = "512"
# N = "512"
# K = "512"
# [constexprs]
# BLOCK_M = "256"
# BLOCK_N = "256"
# BLOCK_K = "16"
# [options]
# num_warps = 8
# num_stages = 2
# ///


@triton.jit
def ieee_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * K + (start + inner)[None, :], mask=rows[:, None] < M, other=0.0)
        b = tl.load(b_ptr + (start + inner)[:, None] * N + columns[None, :], mask=columns[None, :] < N, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc, mask=(rows[:, None] < M) & (columns[None, :] < N))
