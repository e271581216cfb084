# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer normalization backward, second kernel: sums the partial dw and db of many programs."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_bwd_dw"
# grid = ["cdiv(n_cols, BLOCK_N)"]
# [sizes]
# n_parts = 4096
# n_cols = 8192
# [args]
# partial_dw_ptr = { dtype = "fp32", shape = ["n_parts", "n_cols"], init = "randn", seed = 0 }
# partial_db_ptr = { dtype = "fp32", shape = ["n_parts", "n_cols"], init = "randn", seed = 1 }
# dw_ptr = { dtype = "fp16", shape = ["n_cols"] }
# db_ptr = { dtype = "fp16", shape = ["n_cols"] }
# [constexprs]
# BLOCK_M = 32
# BLOCK_N = 32
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n_parts * n_cols"
# ///


@triton.jit
def layer_norm_bwd_dw(
    partial_dw_ptr, partial_db_ptr, dw_ptr, db_ptr, n_parts, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    dw = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    db = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, n_parts, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < n_parts) & (columns[None, :] < n_cols)
        offsets = rows[:, None] * n_cols + columns[None, :]
        dw += tl.load(partial_dw_ptr + offsets, mask=mask, other=0.0)
        db += tl.load(partial_db_ptr + offsets, mask=mask, other=0.0)
    tl.store(dw_ptr + columns, tl.sum(dw, axis=0).to(tl.float16), mask=columns < n_cols)
    tl.store(db_ptr + columns, tl.sum(db, axis=0).to(tl.float16), mask=columns < n_cols)
