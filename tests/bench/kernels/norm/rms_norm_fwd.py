# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Root-mean-square normalization of bf16 rows that fit one block; 1/rms is kept for the backward pass."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "rms_norm_fwd"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "bf16", shape = ["n_cols"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"] }
# rstd_ptr = { dtype = "fp32", shape = ["n_rows"] }
# eps = 1e-6
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def rms_norm_fwd(x_ptr, weight_ptr, out_ptr, rstd_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    tl.store(rstd_ptr + row, rstd)
    weight = tl.load(weight_ptr + columns, mask=mask, other=0.0)
    normalized = (x * rstd).to(tl.bfloat16)
    tl.store(out_ptr + row * n_cols + columns, normalized * weight, mask=mask)
