# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""bf16 by 8-bit weights with scales, blocks of 256 x 128 x 64."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "int8_matmul"
# grid = [2, 4]
# [args]
# a_ptr = { dtype = "bf16", shape = [512, 512] }
# b_ptr = { dtype = "i8", shape = [512, 512] }
# sa_ptr = { dtype = "fp32", shape = [512] }
# sb_ptr = { dtype = "fp32", shape = [8, 512] }
# c_ptr = { dtype = "bf16", shape = [512, 512] }
# M = "512"
# N = "512"
# K = "512"
# [constexprs]
# BLOCK_M = "256"
# BLOCK_N = "128"
# BLOCK_K = "64"
# [options]
# num_warps = 8
# num_stages = 3
# ///


@triton.jit
def int8_matmul(a_ptr, b_ptr, sa_ptr, sb_ptr, c_ptr, M, N, K,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * K + inner[None, :]
    b_ptrs = b_ptr + inner[:, None] + columns[None, :] * K
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=inner[None, :] < K - start * BLOCK_K, other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < K - start * BLOCK_K, other=0)
        sb = tl.load(sb_ptr + start * N + columns)
        acc += tl.dot(a, b.to(tl.bfloat16)) * sb[None, :]
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K
    sa = tl.load(sa_ptr + rows)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], (acc * sa[:, None]).to(tl.bfloat16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))
