# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization backward: dx of each row, and partial sums of dw and db over the rows of a program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_bwd_dx"
# grid = ["n_programs"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# n_programs = 528
# [args]
# dx_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"] }
# dw_ptr = { dtype = "fp32", shape = ["n_programs", "n_cols"] }
# db_ptr = { dtype = "fp32", shape = ["n_programs", "n_cols"] }
# dy_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# x_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# weight_ptr = { dtype = "fp16", shape = ["n_cols"], init = "randn", seed = 2 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], init = "randn", seed = 3, scale = 0.1 }
# rstd_ptr = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 4, low = 0.5, high = 1.5 }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 16
# [work]
# bytes = "6 * n_rows * n_cols"
# ///


@triton.jit
def layer_norm_bwd_dx(
    dx_ptr, dw_ptr, db_ptr, dy_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr, n_rows, n_cols, BLOCK: tl.constexpr
):
    program = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    weight = tl.load(weight_ptr + columns, mask=mask, other=0.0).to(tl.float32)
    dw = tl.zeros([BLOCK], dtype=tl.float32)
    db = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(program, n_rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        xhat = tl.where(mask, (x - mean) * rstd, 0.0)
        wdy = weight * dy
        c1 = tl.sum(xhat * wdy, axis=0) / n_cols
        c2 = tl.sum(wdy, axis=0) / n_cols
        dx = (wdy - (xhat * c1 + c2)) * rstd
        tl.store(dx_ptr + row * n_cols + columns, dx.to(tl.float16), mask=mask)
        dw += dy * xhat
        db += dy
    tl.store(dw_ptr + program * n_cols + columns, dw, mask=mask)
    tl.store(db_ptr + program * n_cols + columns, db, mask=mask)
