# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Sum, maximum and mean of squares over the middle axis of a three-dimensional fp16 array."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "batched_reduction"
# grid = ["batch", "cdiv(width, BLOCK_N)"]
# [sizes]
# batch = 64
# length = 2048
# width = 1024
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "length", "width"], init = "randn", seed = 0 }
# sum_ptr = { dtype = "fp32", shape = ["batch", "width"] }
# max_ptr = { dtype = "fp16", shape = ["batch", "width"] }
# square_ptr = { dtype = "fp32", shape = ["batch", "width"] }
# [constexprs]
# BLOCK_M = 32
# BLOCK_N = 64
# [options]
# num_warps = 4
# [work]
# bytes = "2 * batch * length * width"
# ///


@triton.jit
def batched_reduction(
    x_ptr, sum_ptr, max_ptr, square_ptr, length, width, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    batch = tl.program_id(0)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    squares = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    peak = tl.full((BLOCK_M, BLOCK_N), -float("inf"), dtype=tl.float32)
    for start in range(0, length, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < length) & (columns[None, :] < width)
        x = tl.load(x_ptr + (batch * length + rows[:, None]) * width + columns[None, :], mask=mask, other=0.0)
        x = x.to(tl.float32)
        total += x
        squares += x * x
        peak = tl.maximum(peak, tl.where(mask, x, -float("inf")))
    place = batch * width + columns
    tl.store(sum_ptr + place, tl.sum(total, axis=0), mask=columns < width)
    tl.store(max_ptr + place, tl.max(peak, axis=0).to(tl.float16), mask=columns < width)
    tl.store(square_ptr + place, tl.sum(squares, axis=0) / length, mask=columns < width)
