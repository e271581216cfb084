# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Running sums within short rows, many rows for each program, forward and in reverse, as gates of chunks need them."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cumsum_small"
# grid = ["cdiv(n_rows, BLOCK_M)"]
# [sizes]
# n_rows = 524288
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", 64], init = "randn", seed = 0 }
# forward_ptr = { dtype = "fp32", shape = ["n_rows", 64] }
# reverse_ptr = { dtype = "fp32", shape = ["n_rows", 64] }
# [constexprs]
# BLOCK_M = 32
# WIDTH = 64
# [options]
# num_warps = 4
# [work]
# bytes = "12 * n_rows * 64"
# ///


@triton.jit
def cumsum_small(x_ptr, forward_ptr, reverse_ptr, n_rows, BLOCK_M: tl.constexpr, WIDTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offsets = rows[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    mask = rows[:, None] < n_rows
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(forward_ptr + offsets, tl.cumsum(x, axis=1), mask=mask)
    tl.store(reverse_ptr + offsets, tl.cumsum(x, axis=1, reverse=True), mask=mask)
