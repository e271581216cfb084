# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of every row of a matrix, reading and writing each element exactly once.

Done step by step (maximum, subtract, exponential, sum, divide) every step would go through memory
again. Here a program keeps its whole row in registers, so the kernel is as fast as a copy.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "fused_softmax"
# grid = ["n_rows"]
# [sizes]
# n_rows = 32768
# n_cols = 1000
# [args]
# out_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# in_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# in_stride  = "n_cols"
# out_stride = "n_cols"
# n_cols     = "n_cols"
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_rows * n_cols"
# flops = "5 * n_rows * n_cols"
# ///


@triton.jit
def fused_softmax(out_ptr, in_ptr, in_stride, out_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols

    # Columns beyond the row's end count as minus infinity: they never win the maximum, and their
    # exponential is zero, so they add nothing to the sum.
    scores = tl.load(in_ptr + row * in_stride + columns, mask=mask, other=-float("inf"))

    # Subtracting the maximum changes nothing mathematically and keeps exp() from overflowing.
    shifted = scores - tl.max(scores, axis=0)
    weights = tl.exp(shifted)
    result = weights / tl.sum(weights, axis=0)

    tl.store(out_ptr + row * out_stride + columns, result, mask=mask)
