# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""New keys and values go to the slots of a paged cache, in int8 with a scale for each of their heads."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "paged_kv_write"
# grid = ["tokens"]
# [sizes]
# tokens = 32768
# heads = 8
# [args]
# k_ptr = { dtype = "bf16", shape = ["tokens", "heads", 128], init = "randn", seed = 0 }
# v_ptr = { dtype = "bf16", shape = ["tokens", "heads", 128], init = "randn", seed = 1 }
# slot_ptr = { dtype = "i64", shape = ["tokens"], init = "arange" }
# k_cache_ptr = { dtype = "i8", shape = ["tokens", "heads", 128] }
# v_cache_ptr = { dtype = "i8", shape = ["tokens", "heads", 128] }
# k_scale_ptr = { dtype = "fp32", shape = ["tokens", "heads"] }
# v_scale_ptr = { dtype = "fp32", shape = ["tokens", "heads"] }
# [constexprs]
# HEADS = "heads"
# DIM = 128
# [options]
# num_warps = 4
# [work]
# bytes = "6 * tokens * heads * 128"
# ///


@triton.jit
def write(x_ptr, cache_ptr, scale_ptr, token, slot, HEADS: tl.constexpr, DIM: tl.constexpr):
    heads = tl.arange(0, HEADS)
    offsets = heads[:, None] * DIM + tl.arange(0, DIM)[None, :]
    x = tl.load(x_ptr + token * HEADS * DIM + offsets).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=1), 1e-6) / 127.0
    tl.store(scale_ptr + slot * HEADS + heads, scale)
    x = x / scale[:, None]
    x = tl.where(x >= 0, x + 0.5, x - 0.5)
    tl.store(cache_ptr + slot * HEADS * DIM + offsets, x.to(tl.int8))


@triton.jit
def paged_kv_write(
    k_ptr, v_ptr, slot_ptr, k_cache_ptr, v_cache_ptr, k_scale_ptr, v_scale_ptr, HEADS: tl.constexpr, DIM: tl.constexpr
):
    token = tl.program_id(0)
    slot = tl.load(slot_ptr + token)
    write(k_ptr, k_cache_ptr, k_scale_ptr, token, slot, HEADS, DIM)
    write(v_ptr, v_cache_ptr, v_scale_ptr, token, slot, HEADS, DIM)
