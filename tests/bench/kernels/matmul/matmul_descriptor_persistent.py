# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Persistent product through tensor descriptors: one program for each multiprocessor walks over the tiles."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_descriptor_persistent"
# grid = ["min(132, cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N))"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "bf16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "bf16", shape = ["N", "K"], init = "randn", seed = 1 }
# c_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# [options]
# num_warps = 8
# num_stages = 4
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_descriptor_persistent(
    a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    b_desc = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BLOCK_N, BLOCK_K])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles = tiles_m * tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        row = tile % tiles_m * BLOCK_M
        column = tile // tiles_m * BLOCK_N
        accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in range(0, K, BLOCK_K):
            a = a_desc.load([row, k])
            b = b_desc.load([column, k])
            accumulator = tl.dot(a, b.T, accumulator)
        c_desc.store([row, column], accumulator.to(tl.bfloat16))
