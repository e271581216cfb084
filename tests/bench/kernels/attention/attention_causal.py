# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Causal attention forward in two loops: whole tiles below the diagonal without a mask, then the diagonal."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_causal"
# grid = ["cdiv(length, BLOCK_M)", "heads"]
# [sizes]
# heads = 64
# length = 4096
# [args]
# q_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["heads", "length", 128] }
# scale = 0.08838834764831845
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 64
# DIM = 128
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "2 * heads * length * length * 128"
# ///


@triton.jit
def inner(
    accumulator, total, peak, q, k_ptr, v_ptr, rows, first, last, scale,
    BLOCK_N: tl.constexpr, DIM: tl.constexpr, MASKED: tl.constexpr,
):
    dims = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        start = tl.multiple_of(start, BLOCK_N)
        columns = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + columns[None, :] * DIM + dims[:, None])
        scores = tl.dot(q, k) * scale
        if MASKED:
            scores = tl.where(rows[:, None] >= columns[None, :], scores, -1.0e6)
        new_peak = tl.maximum(peak, tl.max(scores, 1))
        p = tl.math.exp2(scores - new_peak[:, None])
        alpha = tl.math.exp2(peak - new_peak)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + columns[:, None] * DIM + dims[None, :])
        accumulator = tl.dot(p.to(tl.bfloat16), v, accumulator * alpha[:, None])
        peak = new_peak
    return accumulator, total, peak


@triton.jit
def attention_causal(
    q_ptr, k_ptr, v_ptr, out_ptr, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):
    tile = tl.program_id(0)
    base = tl.program_id(1).to(tl.int64) * length * DIM
    rows = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, DIM)
    q = tl.load(q_ptr + base + rows[:, None] * DIM + dims[None, :])
    peak = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    total = tl.zeros([BLOCK_M], dtype=tl.float32)
    accumulator = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    scale *= 1.4426950408889634
    accumulator, total, peak = inner(
        accumulator, total, peak, q, k_ptr + base, v_ptr + base, rows, 0, tile * BLOCK_M, scale, BLOCK_N, DIM, False)
    accumulator, total, peak = inner(
        accumulator, total, peak, q, k_ptr + base, v_ptr + base, rows, tile * BLOCK_M, (tile + 1) * BLOCK_M, scale,
        BLOCK_N, DIM, True)
    out = (accumulator / total[:, None]).to(tl.bfloat16)
    tl.store(out_ptr + base + rows[:, None] * DIM + dims[None, :], out)
