# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention forward, 128 x 64 tiles with 8 warps and head dimension 128; scores in base two, log-sum-exp is kept."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_fwd_8_warps"
# grid = ["cdiv(length, BLOCK_M)", "heads"]
# [sizes]
# heads = 128
# length = 4096
# [args]
# q_ptr = { dtype = "fp16", shape = ["heads", "length", 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "fp16", shape = ["heads", "length", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "fp16", shape = ["heads", "length", 128], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["heads", "length", 128] }
# lse_ptr = { dtype = "fp32", shape = ["heads", "length"] }
# scale = 0.08838834764831845
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 64
# DIM = 128
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "4 * heads * length * length * 128"
# ///


@triton.jit
def attention_fwd_8_warps(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):
    base = tl.program_id(1).to(tl.int64) * length * DIM
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    dims = tl.arange(0, DIM)
    q = tl.load(q_ptr + base + rows[:, None] * DIM + dims[None, :])
    k_tile = k_ptr + base + columns[None, :] * DIM + dims[:, None]
    v_tile = v_ptr + base + columns[:, None] * DIM + dims[None, :]
    peak = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    total = tl.full([BLOCK_M], 1.0, dtype=tl.float32)
    accumulator = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    scale2 = scale * 1.4426950408889634
    for start in range(0, length, BLOCK_N):
        k = tl.load(k_tile)
        scores = tl.dot(q, k)
        new_peak = tl.maximum(peak, tl.max(scores, 1) * scale2)
        p = tl.math.exp2(scores * scale2 - new_peak[:, None])
        alpha = tl.math.exp2(peak - new_peak)
        accumulator = accumulator * alpha[:, None]
        v = tl.load(v_tile)
        accumulator = tl.dot(p.to(tl.float16), v, accumulator)
        total = total * alpha + tl.sum(p, 1)
        peak = new_peak
        k_tile += BLOCK_N * DIM
        v_tile += BLOCK_N * DIM
    tl.store(lse_ptr + tl.program_id(1) * length + rows, peak + tl.math.log2(total))
    out = accumulator / total[:, None]
    tl.store(out_ptr + base + rows[:, None] * DIM + dims[None, :], out.to(tl.float16))
