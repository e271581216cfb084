# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax backward: dx = (dy - sum(dy * y)) * y for tiles of several rows."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax_bwd"
# grid = ["cdiv(n_rows, BLOCK_M)"]
# [sizes]
# n_rows = 65536
# n_cols = 1024
# [args]
# y_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, high = 0.01 }
# dy_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# dx_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK_M = 4
# BLOCK_N = "next_power_of_2(n_cols)"
# [options]
# num_warps = 4
# [work]
# bytes = "6 * n_rows * n_cols"
# ///


@triton.jit
def softmax_bwd(y_ptr, dy_ptr, dx_ptr, n_rows, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
    offsets = rows[:, None] * n_cols + columns[None, :]
    y = tl.load(y_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    dx = y * (dy - tl.sum(y * dy, axis=1)[:, None])
    tl.store(dx_ptr + offsets, dx.to(tl.float16), mask=mask)
