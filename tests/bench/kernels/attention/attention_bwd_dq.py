# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention backward: gradient of a tile of queries from all keys and values, head dimension 128."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_bwd_dq"
# grid = ["length // BLOCK_M", "heads"]
# [sizes]
# heads = 32
# length = 4096
# [args]
# q_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 2 }
# dout_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 3 }
# lse_ptr = { dtype = "fp32", shape = ["heads", "length"], init = "rand", seed = 4, low = 8.0, high = 9.0 }
# delta_ptr = { dtype = "fp32", shape = ["heads", "length"], init = "randn", seed = 5 }
# dq_ptr = { dtype = "bf16", shape = ["heads", "length", 128] }
# scale = 0.08838834764831845
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 64
# DIM = 128
# [options]
# num_warps = 8
# num_stages = 2
# [work]
# flops = "6 * heads * length * length * 128"
# ///


@triton.jit
def attention_bwd_dq(
    q_ptr, k_ptr, v_ptr, dout_ptr, lse_ptr, delta_ptr, dq_ptr, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr,
):
    head = tl.program_id(1)
    base = head.to(tl.int64) * length * DIM
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, DIM)
    q = tl.load(q_ptr + base + rows[:, None] * DIM + dims[None, :])
    dout = tl.load(dout_ptr + base + rows[:, None] * DIM + dims[None, :])
    lse = tl.load(lse_ptr + head * length + rows)[:, None]
    delta = tl.load(delta_ptr + head * length + rows)[:, None]
    k_tile = k_ptr + base + tl.arange(0, BLOCK_N)[None, :] * DIM + dims[:, None]
    v_tile = v_ptr + base + tl.arange(0, BLOCK_N)[None, :] * DIM + dims[:, None]
    dq = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    for start in range(0, length, BLOCK_N):
        k = tl.load(k_tile)
        v = tl.load(v_tile)
        p = tl.exp(tl.dot(q, k) * scale - lse)
        dp = tl.dot(dout, v)
        ds = (p * (dp - delta)).to(tl.bfloat16)
        dq = tl.dot(ds, tl.trans(k), dq)
        k_tile += BLOCK_N * DIM
        v_tile += BLOCK_N * DIM
    tl.store(dq_ptr + base + rows[:, None] * DIM + dims[None, :], (dq * scale).to(tl.bfloat16))
