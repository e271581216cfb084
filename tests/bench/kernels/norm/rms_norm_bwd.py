# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Root-mean-square normalization backward over a strip of rows: dx, and partial dw of each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "rms_norm_bwd"
# grid = ["cdiv(n_rows, ROWS)"]
# [sizes]
# n_rows = 16384
# n_cols = 2048
# [args]
# dy_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# x_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# weight_ptr = { dtype = "bf16", shape = ["n_cols"], init = "randn", seed = 2 }
# rstd_ptr = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 3, low = 0.5, high = 1.5 }
# dx_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"] }
# dw_ptr = { dtype = "fp32", shape = ["cdiv(n_rows,ROWS)", "n_cols"] }
# [constexprs]
# ROWS = 32
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 8
# [work]
# bytes = "6 * n_rows * n_cols"
# ///


@triton.jit
def rms_norm_bwd(
    dy_ptr, x_ptr, weight_ptr, rstd_ptr, dx_ptr, dw_ptr, n_rows, n_cols, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    program = tl.program_id(0)
    first = program * ROWS
    last = tl.minimum(first + ROWS, n_rows)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    weight = tl.load(weight_ptr + columns, mask=mask, other=0.0).to(tl.float32)
    dw = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(first, last):
        dy = tl.load(dy_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
        rstd = tl.load(rstd_ptr + row)
        m = dy * weight
        dx = rstd * m - rstd * rstd * rstd / n_cols * tl.sum(m * x, axis=0) * x
        dw += dy * (x * rstd)
        tl.store(dx_ptr + row * n_cols + columns, dx.to(tl.bfloat16), mask=mask)
    tl.store(dw_ptr + program * n_cols + columns, dw, mask=mask)
