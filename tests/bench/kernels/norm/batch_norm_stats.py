# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Per-channel sums for batch normalization: a gated reduction over the rows, added up atomically."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "batch_norm_stats"
# grid = ["cdiv(n_rows, ROWS)", "cdiv(channels, BLOCK_C)"]
# [sizes]
# n_rows = 131072
# channels = 512
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "channels"], init = "randn", seed = 0 }
# gate_ptr = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 1 }
# sum_ptr = { dtype = "fp32", shape = ["channels"], init = "zeros" }
# squares_ptr = { dtype = "fp32", shape = ["channels"], init = "zeros" }
# [constexprs]
# ROWS = 512
# BLOCK_M = 16
# BLOCK_C = 128
# [options]
# num_warps = 4
# [work]
# bytes = "4 * n_rows * channels"
# ///


@triton.jit
def batch_norm_stats(
    x_ptr, gate_ptr, sum_ptr, squares_ptr, n_rows, channels,
    ROWS: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_C: tl.constexpr,
):
    columns = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    total = tl.zeros((BLOCK_M, BLOCK_C), dtype=tl.float32)
    squares = tl.zeros((BLOCK_M, BLOCK_C), dtype=tl.float32)
    for start in range(0, ROWS, BLOCK_M):
        rows = tl.program_id(0) * ROWS + start + tl.arange(0, BLOCK_M)
        inside = (rows[:, None] < n_rows) & (columns[None, :] < channels)
        gate = tl.load(gate_ptr + rows, mask=rows < n_rows, other=0.0)
        x = tl.load(x_ptr + rows[:, None] * channels + columns[None, :], mask=inside, other=0.0)
        x = tl.where(gate[:, None] > 0.25, x, 0.0)
        total += x
        squares += x * x
    tl.atomic_add(sum_ptr + columns, tl.sum(total, axis=0), mask=columns < channels)
    tl.atomic_add(squares_ptr + columns, tl.sum(squares, axis=0), mask=columns < channels)
