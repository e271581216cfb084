# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Mixture of experts, last step: each token adds up its four weighted rows, found by their places."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "moe_combine"
# grid = ["tokens", "cdiv(width, BLOCK)"]
# [sizes]
# tokens = 16384
# width = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["tokens", "width"], init = "randn", seed = 0 }
# place_ptr = { dtype = "i32", shape = ["tokens", 4], init = "randint", seed = 1, high = "tokens" }
# weight_ptr = { dtype = "fp32", shape = ["tokens", 4], init = "rand", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["tokens", "width"] }
# [constexprs]
# BLOCK = 1024
# TOP = 4
# [options]
# num_warps = 4
# [work]
# bytes = "10 * tokens * width"
# ///


@triton.jit
def moe_combine(x_ptr, place_ptr, weight_ptr, out_ptr, width, BLOCK: tl.constexpr, TOP: tl.constexpr):
    token = tl.program_id(0)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < width
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for slot in range(TOP):
        place = tl.load(place_ptr + token * TOP + slot)
        weight = tl.load(weight_ptr + token * TOP + slot)
        x = tl.load(x_ptr + place.to(tl.int64) * width + columns, mask=mask, other=0.0)
        total += weight * x.to(tl.float32)
    tl.store(out_ptr + token * width + columns, total.to(tl.bfloat16), mask=mask)
