# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Running sums along the rows of a matrix.

A scan looks sequential, yet a block of n elements needs only log2(n) steps: each step adds the value
that stands 1, 2, 4, ... places to the left. Rows longer than a block are walked in pieces, and the
sum of what came before is carried from one piece to the next.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cumsum"
# grid = ["n_rows"]
# [sizes]
# n_rows = 300
# n_cols = 2500
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# stride  = "n_cols"
# n_cols  = "n_cols"
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_rows * n_cols"
# flops = "n_rows * n_cols"
# ///


@triton.jit
def cumsum(x_ptr, out_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carried = 0.0
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n_cols
        x = tl.load(x_ptr + row * stride + columns, mask=mask, other=0.0)
        tl.store(out_ptr + row * stride + columns, carried + tl.cumsum(x, axis=0), mask=mask)
        carried += tl.sum(x, axis=0)
