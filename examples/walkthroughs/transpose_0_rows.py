# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Transposes a matrix. One of the steps of docs/guide/walkthrough-transpose.md."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["n_rows", "cdiv(n_cols, BLOCK)"]
# [sizes]
# n_rows = 8192
# n_cols = 8192
# [args]
# in_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr    = { dtype = "fp32", shape = ["n_cols", "n_rows"] }
# in_stride  = "n_cols"
# out_stride = "n_rows"
# [constexprs]
# BLOCK = "1024"
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def transpose(in_ptr, out_ptr, n_rows, n_cols, in_stride, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < n_cols
    values = tl.load(in_ptr + row * in_stride + columns, mask=inside)
    tl.store(out_ptr + columns * out_stride + row, values, mask=inside)
