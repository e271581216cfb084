# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Routing of a mixture of experts: softmax over the experts, then the best four one after another, weights renormalized."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "moe_route_topk"
# grid = ["cdiv(tokens, BLOCK_M)"]
# [sizes]
# tokens = 1048576
# [args]
# logits_ptr = { dtype = "bf16", shape = ["tokens", 64], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp32", shape = ["tokens", 4] }
# expert_ptr = { dtype = "i32", shape = ["tokens", 4] }
# [constexprs]
# BLOCK_M = 32
# EXPERTS = 64
# TOP = 4
# [options]
# num_warps = 4
# [work]
# bytes = "tokens * (2 * 64 + 8 * 4)"
# ///


@triton.jit
def moe_route_topk(
    logits_ptr, weight_ptr, expert_ptr, tokens, BLOCK_M: tl.constexpr, EXPERTS: tl.constexpr, TOP: tl.constexpr
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    experts = tl.arange(0, EXPERTS)
    inside = rows < tokens
    x = tl.load(logits_ptr + rows[:, None] * EXPERTS + experts[None, :], mask=inside[:, None], other=0.0)
    x = x.to(tl.float32)
    p = tl.exp(x - tl.max(x, axis=1)[:, None])
    p = p / tl.sum(p, axis=1)[:, None]
    slots = tl.arange(0, TOP)
    weights = tl.zeros((BLOCK_M, TOP), dtype=tl.float32)
    chosen = tl.zeros((BLOCK_M, TOP), dtype=tl.int32)
    for slot in tl.static_range(TOP):
        best, expert = tl.max(p, axis=1, return_indices=True)
        weights = tl.where(slots[None, :] == slot, best[:, None], weights)
        chosen = tl.where(slots[None, :] == slot, expert[:, None], chosen)
        p = tl.where(experts[None, :] == expert[:, None], -1.0, p)
    weights = weights / tl.sum(weights, axis=1)[:, None]
    place = rows[:, None] * TOP + slots[None, :]
    tl.store(weight_ptr + place, weights, mask=inside[:, None])
    tl.store(expert_ptr + place, chosen, mask=inside[:, None])
