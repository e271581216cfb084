# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention, forward, with blocks of 128 x 128 and heads of 128."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_forward"
# grid = [8, 4]
# [args]
# q_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# k_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# v_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# out_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# lse_ptr = { dtype = "fp32", shape = [4, 1024] }
# scale = 0.12
# stride_h = "131072"
# n = "1024"
# [constexprs]
# BLOCK_M = "128"
# BLOCK_N = "128"
# D = "128"
# CAUSAL = "True"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def attention_forward(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, scale, stride_h, n,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    head = tl.program_id(1) * stride_h
    depth = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + depth[None, :], mask=rows[:, None] < n, other=0.0)
    top = tl.full([BLOCK_M], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, D], tl.float32)
    last = (tl.program_id(0) + 1) * BLOCK_M if CAUSAL else n
    for start in range(0, last, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + head + columns[None, :] * D + depth[:, None], mask=columns[None, :] < n, other=0.0)
        s = tl.dot(q, k) * scale
        s = tl.where(columns[None, :] < n, s, float("-inf"))
        if CAUSAL:
            s = tl.where(rows[:, None] >= columns[None, :], s, float("-inf"))
        peak = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - peak[:, None])
        shrink = tl.exp2(top - peak)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + columns[:, None] * D + depth[None, :], mask=columns[:, None] < n, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        top = peak
    tl.store(lse_ptr + tl.program_id(1) * n + rows, top + tl.log2(total), mask=rows < n)
    tl.store(out_ptr + head + rows[:, None] * D + depth[None, :], (acc / total[:, None]).to(out_ptr.dtype.element_ty),
             mask=rows[:, None] < n)
