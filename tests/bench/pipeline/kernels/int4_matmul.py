# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""fp16 by packed 4-bit weights, blocks of 256 x 128 x 64."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "int4_matmul"
# grid = [2, 4]
# [args]
# a_ptr = { dtype = "fp16", shape = [512, 512] }
# b_ptr = { dtype = "i32", shape = [64, 512] }
# scale_ptr = { dtype = "fp16", shape = [4, 512] }
# zero_ptr = { dtype = "i32", shape = [4, 64] }
# c_ptr = { dtype = "fp16", shape = [512, 512] }
# M = "512"
# N = "512"
# K = "512"
# group = "128"
# [constexprs]
# BLOCK_M = "256"
# BLOCK_N = "128"
# BLOCK_K = "64"
# [options]
# num_warps = 4
# num_stages = 3
# ///


@triton.jit
def int4_matmul(a_ptr, b_ptr, scale_ptr, zero_ptr, c_ptr, M, N, K, group,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    shift = (inner % 8) * 4
    for start in range(0, K, BLOCK_K):
        k = start + inner
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=rows[:, None] < M, other=0.0)
        packed = tl.load(b_ptr + (k[:, None] // 8) * N + columns[None, :], mask=columns[None, :] < N, other=0)
        scale = tl.load(scale_ptr + (start // group) * N + columns, mask=columns < N, other=0.0)
        zero = tl.load(zero_ptr + (start // group) * (N // 8) + columns // 8, mask=columns < N, other=0)
        zero = (zero >> ((columns % 8) * 4)) & 15
        b = (packed >> shift[:, None]) & 15
        b = ((b - zero[None, :]) * scale[None, :]).to(tl.float16)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc.to(tl.float16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))
