# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""First-order recurrence h = a * h + x along each row by an associative scan of pairs."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "linear_recurrence"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16384
# n_cols = 4096
# [args]
# a_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 0.5, high = 0.99 }
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "12 * n_rows * n_cols"
# ///


@triton.jit
def compose(a_left, x_left, a_right, x_right):
    return a_left * a_right, a_right * x_left + x_right


@triton.jit
def linear_recurrence(a_ptr, x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    base = tl.program_id(0) * n_cols
    columns = tl.arange(0, BLOCK)
    state = 0.0
    for start in range(0, n_cols, BLOCK):
        mask = start + columns < n_cols
        a = tl.load(a_ptr + base + start + columns, mask=mask, other=1.0)
        x = tl.load(x_ptr + base + start + columns, mask=mask, other=0.0)
        decay, h = tl.associative_scan((a, x), 0, compose)
        h += decay * state
        tl.store(out_ptr + base + start + columns, h, mask=mask)
        state = tl.sum(tl.where(columns == BLOCK - 1, h, 0.0))
