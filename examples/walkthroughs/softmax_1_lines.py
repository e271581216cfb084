# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of every column of a matrix. One of the steps of docs/guide/walkthrough-softmax.md."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "column_softmax"
# grid = ["cdiv(n_cols, WIDTH)"]
# [sizes]
# n_rows = 1000
# n_cols = 32768
# [args]
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# in_ptr  = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# stride  = "n_cols"
# [constexprs]
# HEIGHT = "next_power_of_2(n_rows)"
# WIDTH = "32"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_rows * n_cols"
# flops = "5 * n_rows * n_cols"
# ///


@triton.jit
def column_softmax(
    out_ptr, in_ptr, n_rows, n_cols, stride, HEIGHT: tl.constexpr, WIDTH: tl.constexpr
):
    rows = tl.arange(0, HEIGHT)[:, None]
    columns = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)[None, :]
    inside = (rows < n_rows) & (columns < n_cols)
    scores = tl.load(in_ptr + rows * stride + columns, mask=inside, other=-float("inf"))
    weights = tl.exp(scores - tl.max(scores, axis=0))
    result = weights / tl.sum(weights, axis=0)
    tl.store(out_ptr + rows * stride + columns, result, mask=inside)
