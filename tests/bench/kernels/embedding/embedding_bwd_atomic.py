# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Gradient of an embedding table: rows are added atomically at their token's place."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "embedding_bwd_atomic"
# grid = ["cdiv(tokens, BLOCK_M)", "cdiv(width, BLOCK_N)"]
# [sizes]
# tokens = 32768
# vocabulary = 32000
# width = 2048
# [args]
# token_ptr = { dtype = "i64", shape = ["tokens"], init = "randint", seed = 0, high = "vocabulary" }
# gradient_ptr = { dtype = "fp32", shape = ["tokens", "width"], init = "randn", seed = 1 }
# table_ptr = { dtype = "fp32", shape = ["vocabulary", "width"], init = "zeros" }
# [constexprs]
# BLOCK_M = 4
# BLOCK_N = 512
# [options]
# num_warps = 4
# [work]
# bytes = "12 * tokens * width"
# ///


@triton.jit
def embedding_bwd_atomic(
    token_ptr, gradient_ptr, table_ptr, tokens, width, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < tokens) & (columns[None, :] < width)
    token = tl.load(token_ptr + rows, mask=rows < tokens, other=0)
    gradient = tl.load(gradient_ptr + rows[:, None] * width + columns[None, :], mask=mask, other=0.0)
    tl.atomic_add(table_ptr + token[:, None] * width + columns[None, :], gradient, mask=mask, sem="relaxed")
