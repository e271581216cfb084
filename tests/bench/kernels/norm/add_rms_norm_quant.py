# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Residual addition, root-mean-square normalization and quantization to fp8 with one scale for each row."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "add_rms_norm_quant"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# residual_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# weight_ptr = { dtype = "bf16", shape = ["n_cols"], init = "randn", seed = 2 }
# sum_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"] }
# out_ptr = { dtype = "fp8e4nv", shape = ["n_rows", "n_cols"] }
# scale_ptr = { dtype = "fp32", shape = ["n_rows"] }
# eps = 1e-6
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 8
# [work]
# bytes = "7 * n_rows * n_cols"
# ///


@triton.jit
def add_rms_norm_quant(
    x_ptr, residual_ptr, weight_ptr, sum_ptr, out_ptr, scale_ptr, n_cols, eps, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    offsets = row * n_cols + columns
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x += tl.load(residual_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    tl.store(sum_ptr + offsets, x.to(tl.bfloat16), mask=mask)
    rstd = tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    y = x * rstd * tl.load(weight_ptr + columns, mask=mask, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(y), axis=0), 1e-10) / 448.0
    tl.store(scale_ptr + row, scale)
    y = tl.clamp(y / scale, -448.0, 448.0)
    tl.store(out_ptr + offsets, y.to(tl.float8e4nv), mask=mask)
