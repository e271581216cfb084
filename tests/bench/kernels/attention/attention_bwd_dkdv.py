# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention backward, causal: gradients of a tile of keys and values from all queries at or after it."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_bwd_dkdv"
# grid = ["length // BLOCK_N", "heads"]
# [sizes]
# heads = 32
# length = 4096
# [args]
# q_ptr = { dtype = "fp16", shape = ["heads", "length", 64], init = "randn", seed = 0 }
# k_ptr = { dtype = "fp16", shape = ["heads", "length", 64], init = "randn", seed = 1 }
# v_ptr = { dtype = "fp16", shape = ["heads", "length", 64], init = "randn", seed = 2 }
# dout_ptr = { dtype = "fp16", shape = ["heads", "length", 64], init = "randn", seed = 3 }
# lse_ptr = { dtype = "fp32", shape = ["heads", "length"], init = "rand", seed = 4, low = 8.0, high = 9.0 }
# delta_ptr = { dtype = "fp32", shape = ["heads", "length"], init = "randn", seed = 5 }
# dk_ptr = { dtype = "fp16", shape = ["heads", "length", 64] }
# dv_ptr = { dtype = "fp16", shape = ["heads", "length", 64] }
# scale = 0.125
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 128
# DIM = 64
# [options]
# num_warps = 8
# num_stages = 2
# [work]
# flops = "4 * heads * length * length * 64"
# ///


@triton.jit
def attention_bwd_dkdv(
    q_ptr, k_ptr, v_ptr, dout_ptr, lse_ptr, delta_ptr, dk_ptr, dv_ptr, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):
    head = tl.program_id(1)
    base = head.to(tl.int64) * length * DIM
    first = tl.program_id(0) * BLOCK_N
    columns = first + tl.arange(0, BLOCK_N)
    dims = tl.arange(0, DIM)
    k = tl.load(k_ptr + base + columns[:, None] * DIM + dims[None, :])
    v = tl.load(v_ptr + base + columns[:, None] * DIM + dims[None, :])
    dk = tl.zeros([BLOCK_N, DIM], dtype=tl.float32)
    dv = tl.zeros([BLOCK_N, DIM], dtype=tl.float32)
    for start in range(first, length, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        q = tl.load(q_ptr + base + rows[:, None] * DIM + dims[None, :])
        dout = tl.load(dout_ptr + base + rows[:, None] * DIM + dims[None, :])
        lse = tl.load(lse_ptr + head * length + rows)
        delta = tl.load(delta_ptr + head * length + rows)
        p = tl.exp(tl.dot(k, tl.trans(q)) * scale - lse[None, :])
        p = tl.where(rows[None, :] >= columns[:, None], p, 0.0)
        dv += tl.dot(p.to(tl.float16), dout)
        dp = tl.dot(v, tl.trans(dout))
        ds = p * (dp - delta[None, :])
        dk += tl.dot(ds.to(tl.float16), q)
    tl.store(dk_ptr + base + columns[:, None] * DIM + dims[None, :], (dk * scale).to(tl.float16))
    tl.store(dv_ptr + base + columns[:, None] * DIM + dims[None, :], dv.to(tl.float16))
