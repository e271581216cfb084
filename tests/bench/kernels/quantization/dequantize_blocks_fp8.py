# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Weights in fp8 with one scale for each square block become bf16."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "dequantize_blocks_fp8"
# grid = ["cdiv(M, BLOCK)", "cdiv(N, BLOCK)"]
# [sizes]
# M = 8192
# N = 16384
# [args]
# x_ptr = { dtype = "fp8e4nv", shape = ["M", "N"], init = "randn", seed = 0 }
# scale_ptr = { dtype = "fp32", shape = ["cdiv(M,BLOCK)", "cdiv(N,BLOCK)"], init = "rand", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["M", "N"] }
# [constexprs]
# BLOCK = 128
# [options]
# num_warps = 8
# [work]
# bytes = "3 * M * N"
# ///


@triton.jit
def dequantize_blocks_fp8(x_ptr, scale_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1)
    rows = row * BLOCK + tl.arange(0, BLOCK)
    columns = column * BLOCK + tl.arange(0, BLOCK)
    offsets = rows[:, None] * N + columns[None, :]
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    scale = tl.load(scale_ptr + row * tl.cdiv(N, BLOCK) + column)
    tl.store(out_ptr + offsets, (x * scale).to(tl.bfloat16), mask=mask)
