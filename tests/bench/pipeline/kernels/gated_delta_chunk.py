# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Gated linear attention over chunks of 64 with a state of 128 x 128."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gated_delta_chunk"
# grid = [4]
# [args]
# q_ptr = { dtype = "bf16", shape = [4, 256, 128] }
# k_ptr = { dtype = "bf16", shape = [4, 256, 128] }
# v_ptr = { dtype = "bf16", shape = [4, 256, 128] }
# g_ptr = { dtype = "fp32", shape = [4, 256] }
# beta_ptr = { dtype = "fp32", shape = [4, 256] }
# o_ptr = { dtype = "bf16", shape = [4, 256, 128] }
# h_ptr = { dtype = "fp32", shape = [4, 128, 128] }
# T = "256"
# scale = 0.1
# [constexprs]
# K = "128"
# V = "128"
# BT = "64"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def gated_delta_chunk(q_ptr, k_ptr, v_ptr, g_ptr, beta_ptr, o_ptr, h_ptr, T, scale, K: tl.constexpr, V: tl.constexpr, BT: tl.constexpr):
    """Gated delta rule over chunks: state in registers, four products a chunk."""
    head = tl.program_id(0)
    i = tl.arange(0, BT)
    d = tl.arange(0, K)
    e = tl.arange(0, V)
    h = tl.zeros([K, V], tl.float32)
    for start in range(0, T, BT):
        t = head * T + start + i
        q = tl.load(q_ptr + t[:, None] * K + d[None, :])
        k = tl.load(k_ptr + t[:, None] * K + d[None, :])
        v = tl.load(v_ptr + t[:, None] * V + e[None, :])
        g = tl.cumsum(tl.load(g_ptr + t), 0)
        beta = tl.load(beta_ptr + t)
        a = tl.dot(q, tl.trans(k))
        a = tl.where(i[:, None] >= i[None, :], a * tl.exp(g[:, None] - g[None, :]), 0.0)
        u = v - tl.dot((k * beta[:, None]).to(k.dtype), h.to(k.dtype)).to(v.dtype)
        o = tl.dot((q * tl.exp(g)[:, None]).to(q.dtype), h.to(q.dtype)) + tl.dot(a.to(u.dtype), u)
        tl.store(o_ptr + t[:, None] * V + e[None, :], (o * scale).to(tl.bfloat16))
        end = tl.sum(tl.where(i == BT - 1, g, 0.0), 0)
        h = h * tl.exp(end) + tl.dot(tl.trans((k * tl.exp(end - g)[:, None]).to(k.dtype)), u)
    tl.store(h_ptr + head * K * V + d[:, None] * V + e[None, :], h)
