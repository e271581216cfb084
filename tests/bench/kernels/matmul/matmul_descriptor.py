# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Product of fp16 matrices whose tiles come and go through tensor descriptors made in the kernel."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul_descriptor"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 4096
# N = 4096
# K = 4096
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["N", "K"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 256
# BLOCK_K = 64
# GROUP_M = 8
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * M * N * K"
# ///


@triton.jit
def matmul_descriptor(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    b_desc = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BLOCK_N, BLOCK_K])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_m, tile_n = tl.swizzle2d(pid // tiles_n, pid % tiles_n, tl.cdiv(M, BLOCK_M), tiles_n, GROUP_M)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = a_desc.load([tile_m * BLOCK_M, k * BLOCK_K])
        b = b_desc.load([tile_n * BLOCK_N, k * BLOCK_K])
        accumulator = tl.dot(a, b.T, accumulator)
    c_desc.store([tile_m * BLOCK_M, tile_n * BLOCK_N], accumulator.to(tl.float16))
