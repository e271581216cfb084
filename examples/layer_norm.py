# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization: every row gets mean 0 and variance 1, then a learned scale and shift.

A row may be longer than a block, so each program walks along its row with a loop. The sums are kept
as blocks (one partial sum per lane) and collapsed only once, after the loop.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm"
# grid = ["n_rows"]
# [sizes]
# n_rows = 1151
# n_cols = 1500
# [args]
# x_ptr      = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 1 }
# bias_ptr   = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 2 }
# stride     = "n_cols"
# n_cols     = "n_cols"
# eps        = 1e-5
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_rows * n_cols"
# flops = "8 * n_rows * n_cols"
# ///


@triton.jit
def layer_norm(x_ptr, out_ptr, weight_ptr, bias_ptr, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_row = x_ptr + row * stride
    out_row = out_ptr + row * stride

    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x_row + columns, mask=columns < n_cols, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / n_cols

    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n_cols
        x = tl.load(x_row + columns, mask=mask, other=0.0).to(tl.float32)
        # Lanes beyond the row would contribute mean * mean each: they must be silenced again.
        centered = tl.where(mask, x - mean, 0.0)
        squares += centered * centered
    variance = tl.sum(squares, axis=0) / n_cols
    inverse_deviation = 1.0 / tl.sqrt(variance + eps)

    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n_cols
        weight = tl.load(weight_ptr + columns, mask=mask)
        bias = tl.load(bias_ptr + columns, mask=mask)
        x = tl.load(x_row + columns, mask=mask, other=0.0).to(tl.float32)
        normalized = (x - mean) * inverse_deviation
        tl.store(out_row + columns, normalized * weight + bias, mask=mask)
