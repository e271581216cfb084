# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Running sums along fp32 rows longer than a block; the sum so far is carried from block to block."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cumsum_rows"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8192
# n_cols = 8192
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = 2048
# [options]
# num_warps = 8
# [work]
# bytes = "8 * n_rows * n_cols"
# ///


@triton.jit
def cumsum_rows(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    base = tl.program_id(0) * n_cols
    carry = 0.0
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + columns, mask=columns < n_cols, other=0.0)
        tl.store(out_ptr + base + columns, tl.cumsum(x, axis=0) + carry, mask=columns < n_cols)
        carry += tl.sum(x, axis=0)
