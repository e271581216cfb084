# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of fp16 rows that fit one block, several rows for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax_rows"
# grid = [1056]
# [sizes]
# n_rows = 32768
# n_cols = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 8
# num_stages = 2
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def softmax_rows(x_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=-float("inf")).to(tl.float32)
        numerator = tl.exp(x - tl.max(x, axis=0))
        out = numerator / tl.sum(numerator, axis=0)
        tl.store(out_ptr + row * n_cols + columns, out.to(tl.float16), mask=mask)
