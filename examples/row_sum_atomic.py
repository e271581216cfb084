# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Sums the rows of a matrix with a two-dimensional grid and one atomic addition per block.

Several programs share a row. Each one reduces its own tile in registers; only the short result goes
to memory, and since others add to the same place, it goes there atomically. The order of the
additions is not fixed, so the last bits of the sums may differ from run to run.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "row_sum_atomic"
# grid = ["cdiv(n_rows, BLOCK_M)", "cdiv(n_cols, BLOCK_N)"]
# [sizes]
# n_rows = 1000
# n_cols = 3000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# sum_ptr = { dtype = "fp32", shape = ["n_rows"], init = "zeros" }
# n_rows  = "n_rows"
# n_cols  = "n_cols"
# stride  = "n_cols"
# [constexprs]
# BLOCK_M = "16"
# BLOCK_N = "256"
# [options]
# num_warps = 4
# [work]
# bytes = "4 * n_rows * n_cols"
# flops = "n_rows * n_cols"
# ///


@triton.jit
def row_sum_atomic(
    x_ptr, sum_ptr, n_rows, n_cols, stride, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)

    # A column of row numbers and a row of column numbers broadcast to a whole tile.
    inside = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
    tile = tl.load(x_ptr + rows[:, None] * stride + columns[None, :], mask=inside, other=0.0)

    partial = tl.sum(tile, axis=1)
    tl.atomic_add(sum_ptr + rows, partial, mask=rows < n_rows)
