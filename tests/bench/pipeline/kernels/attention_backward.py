# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention, backward, keys and queries in one kernel."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_backward"
# grid = [8, 4]
# [args]
# q_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# k_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# v_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# do_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# dq_ptr = { dtype = "fp32", shape = [4, 1024, 128] }
# dk_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# dv_ptr = { dtype = "fp16", shape = [4, 1024, 128] }
# lse_ptr = { dtype = "fp32", shape = [4, 1024] }
# delta_ptr = { dtype = "fp32", shape = [4, 1024] }
# scale = 0.12
# stride_h = "131072"
# n = "1024"
# [constexprs]
# BLOCK_M = "64"
# BLOCK_N = "128"
# D = "128"
# [options]
# num_warps = 8
# num_stages = 2
# ///


@triton.jit
def attention_backward(q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, scale, stride_h, n,
                       BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * stride_h
    depth = tl.arange(0, D)
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.load(k_ptr + head + columns[:, None] * D + depth[None, :])
    v = tl.load(v_ptr + head + columns[:, None] * D + depth[None, :])
    dk = tl.zeros([BLOCK_N, D], tl.float32)
    dv = tl.zeros([BLOCK_N, D], tl.float32)
    for start in range(tl.program_id(0) * BLOCK_N, n, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        q = tl.load(q_ptr + head + rows[:, None] * D + depth[None, :])
        lse = tl.load(lse_ptr + tl.program_id(1) * n + rows)
        p = tl.exp2(tl.dot(k, tl.trans(q)) * scale - lse[None, :])
        p = tl.where(rows[None, :] >= columns[:, None], p, 0.0)
        do = tl.load(do_ptr + head + rows[:, None] * D + depth[None, :])
        dv += tl.dot(p.to(do.dtype), do)
        delta = tl.load(delta_ptr + tl.program_id(1) * n + rows)
        dp = tl.dot(v, tl.trans(do))
        ds = (p * (dp - delta[None, :])).to(q.dtype)
        dk += tl.dot(ds, q)
        dq = tl.dot(tl.trans(ds), k)
        tl.atomic_add(dq_ptr + head + rows[:, None] * D + depth[None, :], dq, sem="relaxed")
    tl.store(dk_ptr + head + columns[:, None] * D + depth[None, :], (dk * scale).to(tl.float16))
    tl.store(dv_ptr + head + columns[:, None] * D + depth[None, :], dv.to(tl.float16))
