# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of rows longer than a block: running maximum and sum in one loop, the result in another."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax_online"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4096
# n_cols = 32768
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = 4096
# [options]
# num_warps = 8
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def softmax_online(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    peak = -float("inf")
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + columns, mask=columns < n_cols, other=-float("inf"))
        new_peak = tl.maximum(peak, tl.max(x, axis=0))
        total = total * tl.exp(peak - new_peak) + tl.sum(tl.exp(x - new_peak), axis=0)
        peak = new_peak
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + columns, mask=columns < n_cols, other=-float("inf"))
        tl.store(out_ptr + row + columns, tl.exp(x - peak) / total, mask=columns < n_cols)
