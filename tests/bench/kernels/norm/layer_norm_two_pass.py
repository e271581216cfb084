# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization of fp16 rows in two passes over a loop: sums of values and squares, then the result."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_two_pass"
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
# eps = 1e-5
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def layer_norm_two_pass(
    x_ptr, out_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, n_cols, eps, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * n_cols
    out_row = out_ptr + row * n_cols
    columns = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        inside = start + columns < n_cols
        x = tl.load(x_row + start + columns, mask=inside, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total, axis=0) / n_cols
    variance = tl.sum(squares, axis=0) / n_cols - mean * mean
    rstd = tl.rsqrt(variance + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, n_cols, BLOCK):
        inside = start + columns < n_cols
        x = tl.load(x_row + start + columns, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + start + columns, mask=inside, other=0.0).to(tl.float32)
        bias = tl.load(bias_ptr + start + columns, mask=inside, other=0.0).to(tl.float32)
        result = (x - mean) * rstd * weight + bias
        tl.store(out_row + start + columns, result.to(tl.float16), mask=inside)
