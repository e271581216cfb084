# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of rows of 4,096 fp32, one for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4096
# n_cols = 4096
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def softmax(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * n_cols + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
