# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention of one token with pages of keys, split into parts."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "flash_decoding"
# grid = [1, 8, 4]
# [args]
# q_ptr = { dtype = "fp16", shape = [1, 8, 16, 256] }
# k_ptr = { dtype = "fp8e5", shape = [64, 8, 16, 256] }
# v_ptr = { dtype = "fp8e5", shape = [64, 8, 16, 256] }
# table_ptr = { dtype = "i32", shape = [1, 64] }
# out_ptr = { dtype = "fp32", shape = [1, 8, 16, 16, 256] }
# lse_ptr = { dtype = "fp32", shape = [1, 8, 16, 16] }
# length_ptr = { dtype = "i32", shape = [1] }
# scale = 0.06
# stride_kb = "32768"
# stride_kh = "4096"
# stride_ks = "256"
# [constexprs]
# GROUP = "16"
# D = "256"
# PAGE = "128"
# SPLIT = "256"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def flash_decoding(q_ptr, k_ptr, v_ptr, table_ptr, out_ptr, lse_ptr, length_ptr, scale, stride_kb, stride_kh, stride_ks,
                   GROUP: tl.constexpr, D: tl.constexpr, PAGE: tl.constexpr, SPLIT: tl.constexpr):
    batch, head, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    length = tl.load(length_ptr + batch)
    g = tl.arange(0, GROUP)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + ((batch * 8 + head) * GROUP + g)[:, None] * D + d[None, :])
    top = tl.full([GROUP], float("-inf"), tl.float32)
    total = tl.zeros([GROUP], tl.float32)
    acc = tl.zeros([GROUP, D], tl.float32)
    begin = part * SPLIT
    for start in range(begin, min(begin + SPLIT, length), PAGE):
        s = start + tl.arange(0, PAGE)
        page = tl.load(table_ptr + batch * 64 + s // 16, mask=s < length, other=0).to(tl.int64)
        at = page * stride_kb + head * stride_kh + (s % 16) * stride_ks
        k = tl.load(k_ptr + at[None, :] + d[:, None], mask=s[None, :] < length, other=0.0)
        qk = tl.dot(q, k.to(q.dtype)) * scale
        qk = 30.0 * tl.extra.cuda.libdevice.tanh(qk / 30.0)
        qk = tl.where(s[None, :] < length, qk, float("-inf"))
        v = tl.load(v_ptr + at[:, None] + d[None, :], mask=s[:, None] < length, other=0.0)
        peak = tl.maximum(tl.max(qk, 1), top)
        shrink = tl.exp(top - peak)
        p = tl.exp(qk - peak[:, None])
        acc = acc * shrink[:, None] + tl.dot(p.to(q.dtype), v.to(q.dtype))
        total = total * shrink + tl.sum(p, 1)
        top = peak
    o = ((batch * 8 + head) * 16 + part) * GROUP + g
    tl.store(out_ptr + o[:, None] * D + d[None, :], acc / total[:, None])
    tl.store(lse_ptr + o, top + tl.log(total))
