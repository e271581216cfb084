# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Rows of a bf16 table are looked up by token number."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "embedding_gather"
# grid = ["tokens"]
# [sizes]
# tokens = 32768
# vocabulary = 32000
# width = 4096
# [args]
# token_ptr = { dtype = "i64", shape = ["tokens"], init = "randint", seed = 0, high = "vocabulary" }
# table_ptr = { dtype = "bf16", shape = ["vocabulary", "width"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["tokens", "width"] }
# [constexprs]
# BLOCK = "next_power_of_2(width)"
# [options]
# num_warps = 4
# [work]
# bytes = "4 * tokens * width"
# ///


@triton.jit
def embedding_gather(token_ptr, table_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < width
    token = tl.load(token_ptr + row)
    x = tl.load(table_ptr + token * width + columns, mask=mask)
    tl.store(out_ptr + row * width + columns, x, mask=mask)
