# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention of grouped query heads with a sliding window and masks at the end of the sequence."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_grouped_window"
# grid = ["cdiv(length, BLOCK_M)", "heads"]
# [sizes]
# heads = 32
# length = 8192
# window = 1024
# [args]
# q_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "bf16", shape = ["heads//4", "length", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "bf16", shape = ["heads//4", "length", 128], init = "randn", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["heads", "length", 128] }
# scale = 0.08838834764831845
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 64
# DIM = 128
# SHARED = 4
# [options]
# num_warps = 8
# num_stages = 2
# [work]
# flops = "4 * heads * length * window * 128"
# ///


@triton.jit
def attention_grouped_window(
    q_ptr, k_ptr, v_ptr, out_ptr, length, window, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr, SHARED: tl.constexpr,
):
    tile = tl.program_id(0)
    head = tl.program_id(1)
    rows = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, DIM)
    q_base = head.to(tl.int64) * length * DIM
    kv_base = (head // SHARED).to(tl.int64) * length * DIM
    inside = rows[:, None] < length
    q = tl.load(q_ptr + q_base + rows[:, None] * DIM + dims[None, :], mask=inside, other=0.0)
    peak = tl.full([BLOCK_M], -1.0e30, dtype=tl.float32)
    total = tl.zeros([BLOCK_M], dtype=tl.float32)
    accumulator = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    first = tl.maximum(tile * BLOCK_M - window + 1, 0) // BLOCK_N * BLOCK_N
    last = tl.minimum((tile + 1) * BLOCK_M, length)
    for start in range(first, last, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + kv_base + columns[None, :] * DIM + dims[:, None], mask=columns[None, :] < length, other=0.0)
        scores = tl.dot(q, k) * scale
        distance = rows[:, None] - columns[None, :]
        scores = tl.where((distance >= 0) & (distance < window), scores, -1.0e30)
        new_peak = tl.maximum(peak, tl.max(scores, 1))
        p = tl.exp(scores - new_peak[:, None])
        p = tl.where((distance >= 0) & (distance < window), p, 0.0)
        alpha = tl.exp(peak - new_peak)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + kv_base + columns[:, None] * DIM + dims[None, :], mask=columns[:, None] < length, other=0.0)
        accumulator = accumulator * alpha[:, None] + tl.dot(p.to(tl.bfloat16), v)
        peak = new_peak
    out = (accumulator / total[:, None]).to(tl.bfloat16)
    tl.store(out_ptr + q_base + rows[:, None] * DIM + dims[None, :], out, mask=inside)
