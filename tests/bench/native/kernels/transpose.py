# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Transposes a matrix of fp32 in tiles: 134 MB go through memory."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["cdiv(n, BLOCK)", "cdiv(n, BLOCK)"]
# [sizes]
# n = 4096
# [args]
# x_ptr = { dtype = "fp32", shape = ["n", "n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n", "n"] }
# [constexprs]
# BLOCK = 64
# [work]
# bytes = "8 * n * n"
# ///


@triton.jit
def transpose(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < n) & (columns[None, :] < n)
    tile = tl.load(x_ptr + rows[:, None] * n + columns[None, :], mask=mask)
    mask = (columns[:, None] < n) & (rows[None, :] < n)
    tl.store(out_ptr + columns[:, None] * n + rows[None, :], tl.trans(tile), mask=mask)
