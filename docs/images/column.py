# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""A transpose that reads columns: the kernel of the pictures in the guide to the Access view."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["cdiv(n_rows, N)"]
# [sizes]
# n_rows = 1024
# n_cols = 1024
# [args]
# in_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"] }
# in_stride = "n_cols"
# out_stride = "n_rows"
# [constexprs]
# N = "128"
# ///


@triton.jit
def transpose(in_ptr, out_ptr, in_stride, out_stride, n_cols, N: tl.constexpr):
    rows = tl.program_id(0) * N + tl.arange(0, N)
    for column in range(n_cols):
        values = tl.load(in_ptr + rows * in_stride + column)
        tl.store(out_ptr + column * out_stride + rows, values)
