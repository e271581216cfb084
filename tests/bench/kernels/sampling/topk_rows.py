# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""The eight largest numbers of each row, in order."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "topk_rows"
# grid = ["cdiv(n_rows, BLOCK_M)"]
# [sizes]
# n_rows = 524288
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", 128], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", 8] }
# [constexprs]
# BLOCK_M = 8
# WIDTH = 128
# TOP = 8
# [options]
# num_warps = 4
# [work]
# bytes = "n_rows * 4 * 136"
# ///


@triton.jit
def topk_rows(x_ptr, out_ptr, n_rows, BLOCK_M: tl.constexpr, WIDTH: tl.constexpr, TOP: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    mask = rows[:, None] < n_rows
    x = tl.load(x_ptr + rows[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + rows[:, None] * TOP + tl.arange(0, TOP)[None, :], tl.topk(x, TOP), mask=mask)
