# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""How many tokens each expert gets: histograms of blocks, added atomically."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "moe_count_tokens"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 67108864
# [args]
# expert_ptr = { dtype = "i32", shape = ["n"], init = "randint", seed = 0, high = 64 }
# count_ptr = { dtype = "i32", shape = [64], init = "zeros" }
# [constexprs]
# BLOCK = 4096
# EXPERTS = 64
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n"
# ///


@triton.jit
def moe_count_tokens(expert_ptr, count_ptr, n, BLOCK: tl.constexpr, EXPERTS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    expert = tl.load(expert_ptr + offsets, mask=offsets < n, other=0)
    counts = tl.histogram(expert, EXPERTS, mask=offsets < n)
    tl.atomic_add(count_ptr + tl.arange(0, EXPERTS), counts, sem="relaxed")
