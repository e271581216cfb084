# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Transposes a matrix tile by tile.

Reading along rows and writing along rows are both fast; the exchange in between is where it gets
interesting. Threads that hold neighbours of a row must come to hold neighbours of a column: look at
the layouts of the load and of the store, and at the conversion between them.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["cdiv(n_rows, BLOCK_M)", "cdiv(n_cols, BLOCK_N)"]
# [sizes]
# n_rows = 8192
# n_cols = 8192
# [args]
# in_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr    = { dtype = "fp32", shape = ["n_cols", "n_rows"] }
# n_rows     = "n_rows"
# n_cols     = "n_cols"
# in_stride  = "n_cols"
# out_stride = "n_rows"
# [constexprs]
# BLOCK_M = "64"
# BLOCK_N = "64"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def transpose(
    in_ptr,
    out_ptr,
    n_rows,
    n_cols,
    in_stride,
    out_stride,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)

    inside = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
    tile = tl.load(in_ptr + rows[:, None] * in_stride + columns[None, :], mask=inside)

    inside_out = (columns[:, None] < n_cols) & (rows[None, :] < n_rows)
    tl.store(
        out_ptr + columns[:, None] * out_stride + rows[None, :], tl.trans(tile), mask=inside_out
    )
