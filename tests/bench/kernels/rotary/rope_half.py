# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Rotary embedding of query and key heads: halves of a head are rotated together."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "rope_half"
# grid = ["tokens"]
# [sizes]
# tokens = 16384
# q_heads = 32
# k_heads = 8
# dim = 128
# [args]
# q_ptr = { dtype = "bf16", shape = ["tokens", "q_heads", "dim"], init = "randn", seed = 0 }
# k_ptr = { dtype = "bf16", shape = ["tokens", "k_heads", "dim"], init = "randn", seed = 1 }
# cos_ptr = { dtype = "fp32", shape = ["tokens", "dim//2"], init = "rand", seed = 2, low = -1.0 }
# sin_ptr = { dtype = "fp32", shape = ["tokens", "dim//2"], init = "rand", seed = 3, low = -1.0 }
# q_out_ptr = { dtype = "bf16", shape = ["tokens", "q_heads", "dim"] }
# k_out_ptr = { dtype = "bf16", shape = ["tokens", "k_heads", "dim"] }
# [constexprs]
# Q_HEADS = "q_heads"
# K_HEADS = "k_heads"
# HALF = "dim//2"
# [options]
# num_warps = 4
# [work]
# bytes = "4 * tokens * (q_heads + k_heads) * dim"
# ///


@triton.jit
def rotate(in_ptr, out_ptr, base, cos, sin, HEADS: tl.constexpr, HALF: tl.constexpr):
    offsets = base + tl.arange(0, HEADS)[:, None] * (2 * HALF) + tl.arange(0, HALF)[None, :]
    first = tl.load(in_ptr + offsets).to(tl.float32)
    second = tl.load(in_ptr + offsets + HALF).to(tl.float32)
    tl.store(out_ptr + offsets, (first * cos - second * sin).to(tl.bfloat16))
    tl.store(out_ptr + offsets + HALF, (second * cos + first * sin).to(tl.bfloat16))


@triton.jit
def rope_half(
    q_ptr, k_ptr, cos_ptr, sin_ptr, q_out_ptr, k_out_ptr,
    Q_HEADS: tl.constexpr, K_HEADS: tl.constexpr, HALF: tl.constexpr,
):
    token = tl.program_id(0)
    cos = tl.load(cos_ptr + token * HALF + tl.arange(0, HALF))[None, :]
    sin = tl.load(sin_ptr + token * HALF + tl.arange(0, HALF))[None, :]
    rotate(q_ptr, q_out_ptr, token * Q_HEADS * 2 * HALF, cos, sin, Q_HEADS, HALF)
    rotate(k_ptr, k_out_ptr, token * K_HEADS * 2 * HALF, cos, sin, K_HEADS, HALF)
