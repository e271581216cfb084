# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Logarithm of the softmax along the last axis of a bf16 matrix, in tiles of rows with a loop over columns."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "log_softmax"
# grid = ["cdiv(n_rows, BLOCK_M)"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK_M = 8
# BLOCK_N = 256
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def log_softmax(x_ptr, out_ptr, n_rows, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    peak = tl.full([BLOCK_M, BLOCK_N], -float("inf"), dtype=tl.float32)
    total = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        mask = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
        x = tl.load(x_ptr + rows[:, None] * n_cols + columns[None, :], mask=mask, other=-float("inf"))
        x = x.to(tl.float32)
        new_peak = tl.maximum(peak, x)
        unset = new_peak == -float("inf")
        total = tl.where(unset, total, total * tl.exp(peak - new_peak) + tl.exp(x - new_peak))
        peak = new_peak
    row_peak = tl.max(peak, axis=1)
    row_total = tl.sum(total * tl.exp(peak - row_peak[:, None]), axis=1)
    shift = row_peak + tl.log(row_total)
    for start in range(0, n_cols, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        mask = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
        x = tl.load(x_ptr + rows[:, None] * n_cols + columns[None, :], mask=mask, other=0.0).to(tl.float32)
        result = (x - shift[:, None]).to(tl.bfloat16)
        tl.store(out_ptr + rows[:, None] * n_cols + columns[None, :], result, mask=mask)
