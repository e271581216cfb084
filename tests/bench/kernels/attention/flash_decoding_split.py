# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Decoding with grouped heads: each program attends to one part of a paged sequence and keeps a partial result."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "flash_decoding_split"
# grid = ["batch", "kv_heads", "splits"]
# [sizes]
# batch = 32
# kv_heads = 8
# splits = 8
# pages_each = 256
# [args]
# q_ptr = { dtype = "bf16", shape = ["batch", "kv_heads", 16, 128], init = "randn", seed = 0 }
# k_ptr = { dtype = "bf16", shape = ["batch*pages_each", 16, "kv_heads", 128], init = "randn", seed = 1 }
# v_ptr = { dtype = "bf16", shape = ["batch*pages_each", 16, "kv_heads", 128], init = "randn", seed = 2 }
# table_ptr = { dtype = "i32", shape = ["batch", "pages_each"], init = "randint", seed = 3, high = "pages_each" }
# length_ptr = { dtype = "i32", shape = ["batch"], init = "randint", seed = 4, low = 3000, high = 4097 }
# partial_ptr = { dtype = "fp32", shape = ["batch", "kv_heads", "splits", 16, 128] }
# lse_ptr = { dtype = "fp32", shape = ["batch", "kv_heads", "splits", 16] }
# scale = 0.08838834764831845
# [constexprs]
# PAGE = 16
# QUERIES = 16
# DIM = 128
# BLOCK_N = 64
# [options]
# num_warps = 4
# num_stages = 2
# [work]
# bytes = "4 * batch * kv_heads * 128 * 16 * pages_each"
# ///


@triton.jit
def flash_decoding_split(
    q_ptr, k_ptr, v_ptr, table_ptr, length_ptr, partial_ptr, lse_ptr, kv_heads, splits, pages_each, scale,
    PAGE: tl.constexpr, QUERIES: tl.constexpr, DIM: tl.constexpr, BLOCK_N: tl.constexpr,
):
    batch = tl.program_id(0)
    head = tl.program_id(1)
    split = tl.program_id(2)
    length = tl.load(length_ptr + batch)
    queries = tl.arange(0, QUERIES)
    dims = tl.arange(0, DIM)
    place = batch * kv_heads + head
    q = tl.load(q_ptr + (place * QUERIES + queries)[:, None] * DIM + dims[None, :])
    each = tl.cdiv(tl.cdiv(length, splits), BLOCK_N) * BLOCK_N
    first = split * each
    last = tl.minimum(first + each, length)
    peak = tl.full([QUERIES], -1.0e30, dtype=tl.float32)
    total = tl.zeros([QUERIES], dtype=tl.float32)
    accumulator = tl.zeros([QUERIES, DIM], dtype=tl.float32)
    for start in range(first, last, BLOCK_N):
        positions = start + tl.arange(0, BLOCK_N)
        inside = positions < last
        page = tl.load(table_ptr + batch * pages_each + positions // PAGE, mask=inside, other=0)
        slot = (page * PAGE + positions % PAGE) * kv_heads + head
        k = tl.load(k_ptr + slot[None, :] * DIM + dims[:, None], mask=inside[None, :], other=0.0)
        scores = tl.where(inside[None, :], tl.dot(q, k) * scale, -1.0e30)
        new_peak = tl.maximum(peak, tl.max(scores, 1))
        p = tl.where(inside[None, :], tl.exp(scores - new_peak[:, None]), 0.0)
        alpha = tl.exp(peak - new_peak)
        v = tl.load(v_ptr + slot[:, None] * DIM + dims[None, :], mask=inside[:, None], other=0.0)
        accumulator = accumulator * alpha[:, None] + tl.dot(p.to(tl.bfloat16), v)
        total = total * alpha + tl.sum(p, 1)
        peak = new_peak
    result = (place * splits + split) * QUERIES + queries
    total = tl.where(total == 0.0, 1.0, total)
    tl.store(partial_ptr + result[:, None] * DIM + dims[None, :], accumulator / total[:, None])
    tl.store(lse_ptr + result, peak + tl.log(total))
