# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization of fp16 rows: mean, variance and result in three loops over the row; mean and 1/deviation are kept."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_fwd"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"] }
# weight_ptr = { dtype = "fp16", shape = ["n_cols"], init = "randn", seed = 1 }
# bias_ptr = { dtype = "fp16", shape = ["n_cols"], init = "randn", seed = 2 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"] }
# rstd_ptr = { dtype = "fp32", shape = ["n_rows"] }
# stride = "n_cols"
# eps = 1e-5
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def layer_norm_fwd(
    x_ptr, out_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, stride, n_cols, eps, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    x_ptr += row * stride
    out_ptr += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + columns, mask=columns < n_cols, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / n_cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + columns, mask=columns < n_cols, other=0.0).to(tl.float32)
        x = tl.where(columns < n_cols, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / n_cols + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n_cols
        weight = tl.load(weight_ptr + columns, mask=mask)
        bias = tl.load(bias_ptr + columns, mask=mask)
        x = tl.load(x_ptr + columns, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + columns, (x - mean) * rstd * weight + bias, mask=mask)
