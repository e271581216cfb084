# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Running sums and products of a block of 32 x 512."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cumsum_wide"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [128, 512] }
# y_ptr = { dtype = "fp32", shape = [128, 512] }
# [constexprs]
# ROWS = "32"
# BLOCK = "512"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def cumsum_wide(x_ptr, y_ptr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, BLOCK)
    at = rows[:, None] * BLOCK + columns[None, :]
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, tl.cumsum(x, axis=1) + tl.cumprod(x, axis=0, reverse=True))
