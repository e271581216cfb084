# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention forward whose queries, keys and values come through tensor descriptors."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_descriptor"
# grid = ["cdiv(length, BLOCK_M)", "heads"]
# [sizes]
# heads = 64
# length = 4096
# [args]
# q_ptr = { dtype = "fp16", shape = ["heads*length", 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "fp16", shape = ["heads*length", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "fp16", shape = ["heads*length", 128], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["heads*length", 128] }
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
def attention_descriptor(
    q_ptr, k_ptr, v_ptr, out_ptr, heads, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):
    all_rows = heads * length
    q_desc = tl.make_tensor_descriptor(q_ptr, [all_rows, DIM], [DIM, 1], [BLOCK_M, DIM])
    k_desc = tl.make_tensor_descriptor(k_ptr, [all_rows, DIM], [DIM, 1], [BLOCK_N, DIM])
    v_desc = tl.make_tensor_descriptor(v_ptr, [all_rows, DIM], [DIM, 1], [BLOCK_N, DIM])
    out_desc = tl.make_tensor_descriptor(out_ptr, [all_rows, DIM], [DIM, 1], [BLOCK_M, DIM])
    first_key = tl.program_id(1) * length
    first_row = first_key + tl.program_id(0) * BLOCK_M
    q = q_desc.load([first_row, 0])
    peak = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    total = tl.zeros([BLOCK_M], dtype=tl.float32)
    accumulator = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    scale *= 1.4426950408889634
    for start in range(0, length, BLOCK_N):
        k = k_desc.load([first_key + start, 0])
        scores = tl.dot(q, k.T)
        new_peak = tl.maximum(peak, tl.max(scores, 1) * scale)
        p = tl.math.exp2(scores * scale - new_peak[:, None])
        alpha = tl.math.exp2(peak - new_peak)
        v = v_desc.load([first_key + start, 0])
        accumulator = tl.dot(p.to(tl.float16), v, accumulator * alpha[:, None])
        total = total * alpha + tl.sum(p, 1)
        peak = new_peak
    out_desc.store([first_row, 0], (accumulator / total[:, None]).to(tl.float16))
