# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Scaled softmax with a causal mask over fp16 attention scores."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax_causal_scaled"
# grid = ["queries", "heads"]
# [sizes]
# heads = 32
# queries = 2048
# [args]
# x_ptr = { dtype = "fp16", shape = ["heads", "queries", "queries"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp16", shape = ["heads", "queries", "queries"] }
# scale = 0.125
# [constexprs]
# BLOCK = "next_power_of_2(queries)"
# [options]
# num_warps = 4
# [work]
# bytes = "3 * heads * queries * queries"
# ///


@triton.jit
def softmax_causal_scaled(x_ptr, out_ptr, queries, scale, BLOCK: tl.constexpr):
    query = tl.program_id(0)
    base = (tl.program_id(1) * queries + query) * queries
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + columns, mask=columns <= query, other=0.0).to(tl.float32) * scale
    x = tl.where(columns <= query, x, -float("inf"))
    x = tl.exp(x - tl.max(x, axis=0))
    x = x / tl.sum(x, axis=0)
    tl.store(out_ptr + base + columns, x.to(tl.float16), mask=columns < queries)
