# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Running sums down the columns of tiles, the carry of each column kept between tiles."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cumsum_columns"
# grid = ["batch", "cdiv(width, BLOCK_N)"]
# [sizes]
# batch = 64
# length = 2048
# width = 512
# [args]
# x_ptr = { dtype = "fp32", shape = ["batch", "length", "width"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["batch", "length", "width"] }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 32
# [options]
# num_warps = 4
# [work]
# bytes = "8 * batch * length * width"
# ///


@triton.jit
def cumsum_columns(x_ptr, out_ptr, length, width, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    base = tl.program_id(0) * length * width
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    carry = tl.zeros([BLOCK_N], dtype=tl.float32)
    for start in range(0, length, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        offsets = base + rows[:, None] * width + columns[None, :]
        mask = (rows[:, None] < length) & (columns[None, :] < width)
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
        tl.store(out_ptr + offsets, tl.cumsum(x, axis=0) + carry[None, :], mask=mask)
        carry += tl.sum(x, axis=0)
