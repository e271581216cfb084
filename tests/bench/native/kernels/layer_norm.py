# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization of rows of 4,096 fp32, one for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4096
# n_cols = 4096
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# w_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 1 }
# b_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def layer_norm(x_ptr, w_ptr, b_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n_cols
    centered = tl.where(mask, x - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centered * centered, axis=0) / n_cols + 1e-5)
    w = tl.load(w_ptr + columns, mask=mask)
    b = tl.load(b_ptr + columns, mask=mask)
    tl.store(out_ptr + row * n_cols + columns, centered * scale * w + b, mask=mask)
