# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention: masks, heads that share keys, pages, positions, and its linear relatives."""

import numpy as np

from .kernel import COARSE, FP16, FP32, HALF, I32, fp16, fp32, kernel, of, softmax, wide

ONLINE = """
@triton.jit
def online_step(acc, m, s, scores, values):
    new = tl.maximum(m, tl.max(scores, 1))
    # A row that has seen nothing yet.
    safe = tl.where(new == -float("inf"), 0.0, new)
    p = tl.exp(scores - safe[:, None])
    scale = tl.exp(m - safe)
    acc = acc * scale[:, None] + tl.dot(p.to(values.dtype), values)
    return acc, new, s * scale + tl.sum(p, 1)

"""


def attend(q, k, v, scale, allowed, bias=0.0):
    """[heads, queries, d] and [heads, keys, d]; rows without a key are 0."""
    scores = np.where(allowed, np.einsum("hqd,hkd->hqk", q, k) * scale + bias, -np.inf)
    top = np.maximum(scores.max(2, keepdims=True), -1e300)
    weights = np.exp(scores - top)
    total = weights.sum(2, keepdims=True)
    return np.einsum("hqk,hkd->hqd", weights / np.where(total == 0, 1, total), v), (top + np.log(np.maximum(total, 1e-300)))[..., 0]


def cases():
    yield kernel("causal_with_lse", {"q_ptr": fp16(3, 80, 32), "k_ptr": fp16(3, 80, 32), "v_ptr": fp16(3, 80, 32),
                                     "o_ptr": of(FP16, 3, 80, 32), "lse_ptr": of(FP32, 3, 80), "n": 80, "scale": 0.17677669529663687}, """
        start, head = tl.program_id(0) * M, tl.program_id(1)
        rows = start + tl.arange(0, M)
        d = tl.arange(0, 32)
        base = head * n * 32
        q = tl.load(q_ptr + base + rows[:, None] * 32 + d[None, :], mask=(rows < n)[:, None], other=0.0)
        acc = tl.zeros((M, 32), dtype=tl.float32)
        m = tl.full((M,), -float("inf"), tl.float32)
        s = tl.zeros((M,), dtype=tl.float32)
        for first in range(0, tl.minimum(start + M, n), N):
            columns = first + tl.arange(0, N)
            k = tl.load(k_ptr + base + columns[None, :] * 32 + d[:, None], mask=(columns < n)[None, :], other=0.0)
            v = tl.load(v_ptr + base + columns[:, None] * 32 + d[None, :], mask=(columns < n)[:, None], other=0.0)
            scores = tl.dot(q, k) * scale
            scores = tl.where((rows[:, None] >= columns[None, :]) & (columns < n)[None, :], scores, -float("inf"))
            acc, m, s = online_step(acc, m, s, scores, v)
        tl.store(o_ptr + base + rows[:, None] * 32 + d[None, :], (acc / s[:, None]).to(tl.float16), mask=(rows < n)[:, None])
        tl.store(lse_ptr + head * n + rows, m + tl.log(s), mask=rows < n)
        """, causal_with_lse, HALF, grid=(3, 3), constexprs={"M": 32, "N": 16}, helpers=ONLINE)

    yield kernel("grouped_query_window", {"q_ptr": fp32(4, 64, 16), "k_ptr": fp32(2, 64, 16), "v_ptr": fp32(2, 64, 16),
                                          "o_ptr": of(FP32, 4, 64, 16), "n": 64, "window": 20}, """
        start, head = tl.program_id(0) * 16, tl.program_id(1)
        shared = head // GROUP
        rows = start + tl.arange(0, 16)
        d = tl.arange(0, 16)
        q = tl.load(q_ptr + (head * n + rows)[:, None] * 16 + d[None, :])
        acc = tl.zeros((16, 16), dtype=tl.float32)
        m = tl.full((16,), -float("inf"), tl.float32)
        s = tl.zeros((16,), dtype=tl.float32)
        low = tl.maximum(start - window + 1, 0) // 16 * 16
        for first in tl.range(low, start + 16, 16):
            columns = first + tl.arange(0, 16)
            k = tl.load(k_ptr + (shared * n + columns)[:, None] * 16 + d[None, :])
            v = tl.load(v_ptr + (shared * n + columns)[:, None] * 16 + d[None, :])
            scores = tl.dot(q, tl.trans(k), input_precision="ieee") * 0.25
            near = (rows[:, None] >= columns[None, :]) & (rows[:, None] - columns[None, :] < window)
            acc, m, s = online_step_fp32(acc, m, s, tl.where(near, scores, -float("inf")), v)
        tl.store(o_ptr + (head * n + rows)[:, None] * 16 + d[None, :], acc / s[:, None])
        """, grouped_query_window, COARSE, grid=(4, 4), constexprs={"GROUP": 2},
        helpers=ONLINE.replace("online_step", "online_step_fp32").replace("tl.dot(p.to(values.dtype), values)",
                                                                           'tl.dot(p, values, input_precision="ieee")'))

    yield kernel("paged_decode", {"q_ptr": fp16(3, 4, 32), "k_ptr": fp16(20, 8, 32), "v_ptr": fp16(20, 8, 32),
                                  "table_ptr": of(I32, 3, 6, data=np.random.default_rng(3).permutation(18).reshape(3, 6)),
                                  "lengths_ptr": of(I32, 3, data=[48, 1, 29]), "o_ptr": of(FP16, 3, 4, 32), "scale": 0.2}, """
        sequence, head = tl.program_id(0), tl.program_id(1)
        length = tl.load(lengths_ptr + sequence)
        d = tl.arange(0, 32)
        slot = tl.arange(0, PAGE)
        q = tl.load(q_ptr + (sequence * 4 + head) * 32 + d).to(tl.float32)
        acc = tl.zeros((32,), dtype=tl.float32)
        m = -float("inf")
        s = 0.0
        for page in range(0, tl.cdiv(length, PAGE)):
            number = tl.load(table_ptr + sequence * 6 + page).to(tl.int64)
            used = page * PAGE + slot < length
            at = number * PAGE * 32 + slot[:, None] * 32 + d[None, :]
            k = tl.load(k_ptr + at, mask=used[:, None], other=0.0).to(tl.float32)
            scores = tl.where(used, tl.sum(q[None, :] * k, 1) * scale, -float("inf"))
            new = tl.maximum(m, tl.max(scores, 0))
            p = tl.exp(scores - new)
            v = tl.load(v_ptr + at, mask=used[:, None], other=0.0).to(tl.float32)
            acc = acc * tl.exp(m - new) + tl.sum(p[:, None] * v, 0)
            s = s * tl.exp(m - new) + tl.sum(p, 0)
            m = new
        tl.store(o_ptr + (sequence * 4 + head) * 32 + d, (acc / s).to(tl.float16))
        """, paged_decode, HALF, grid=(3, 4), constexprs={"PAGE": 8})

    yield kernel("attention_alibi", {"q_ptr": fp32(4, 32, 16), "k_ptr": fp32(4, 32, 16), "v_ptr": fp32(4, 32, 16), "o_ptr": of(FP32, 4, 32, 16)}, """
        head = tl.program_id(0)
        i = tl.arange(0, 32)
        d = tl.arange(0, 16)
        at = head * 32 * 16 + i[:, None] * 16 + d[None, :]
        slope = tl.exp2(-2.0 * (head + 1).to(tl.float32))
        q, k, v = tl.load(q_ptr + at), tl.load(k_ptr + at), tl.load(v_ptr + at)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * 0.25
        scores += slope * (i[None, :] - i[:, None]).to(tl.float32)
        scores = tl.where(i[:, None] >= i[None, :], scores, -float("inf"))
        p = tl.exp(scores - tl.max(scores, 1, keep_dims=True))
        p /= tl.sum(p, 1, keep_dims=True)
        tl.store(o_ptr + at, tl.dot(p, v, input_precision="ieee"))
        """, attention_alibi, COARSE, grid=(4,))

    yield kernel("attention_varlen", {"q_ptr": fp16(70, 2, 16), "k_ptr": fp16(70, 2, 16), "v_ptr": fp16(70, 2, 16),
                                      "starts_ptr": of(I32, 5, data=[0, 7, 40, 40, 70]), "o_ptr": of(FP16, 70, 2, 16)}, """
        sequence, head, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        begin = tl.load(starts_ptr + sequence)
        length = tl.load(starts_ptr + sequence + 1) - begin
        if block * 16 >= length:
            return
        rows = block * 16 + tl.arange(0, 16)
        d = tl.arange(0, 16)
        q_at = ((begin + rows)[:, None] * 2 + head) * 16 + d[None, :]
        q = tl.load(q_ptr + q_at, mask=(rows < length)[:, None], other=0.0)
        acc = tl.zeros((16, 16), dtype=tl.float32)
        m = tl.full((16,), -float("inf"), tl.float32)
        s = tl.zeros((16,), dtype=tl.float32)
        for first in range(0, length, 16):
            columns = first + tl.arange(0, 16)
            k_at = ((begin + columns)[:, None] * 2 + head) * 16 + d[None, :]
            k = tl.load(k_ptr + k_at, mask=(columns < length)[:, None], other=0.0)
            v = tl.load(v_ptr + k_at, mask=(columns < length)[:, None], other=0.0)
            scores = tl.dot(q, k.T) * 0.25
            acc, m, s = online_step(acc, m, s, tl.where((columns < length)[None, :], scores, -float("inf")), v)
        tl.store(o_ptr + q_at, (acc / s[:, None]).to(tl.float16), mask=(rows < length)[:, None])
        """, attention_varlen, HALF, grid=(4, 2, 3), helpers=ONLINE)

    yield kernel("attention_sinks", {"q_ptr": fp32(2, 48, 16), "k_ptr": fp32(2, 48, 16), "v_ptr": fp32(2, 48, 16), "sink_ptr": fp32(2),
                                     "o_ptr": of(FP32, 2, 48, 16), "kept": 4, "recent": 8}, """
        head, query = tl.program_id(0), tl.program_id(1)
        i = tl.arange(0, 64)
        d = tl.arange(0, 16)
        inside = (i <= query) & ((i < kept) | (query - i < recent))
        at = (head * 48 + i)[:, None] * 16 + d[None, :]
        q = tl.load(q_ptr + (head * 48 + query) * 16 + d)
        k = tl.load(k_ptr + at, mask=inside[:, None], other=0.0)
        scores = tl.where(inside, tl.sum(k * q[None, :], axis=1) * 0.25, -float("inf"))
        sink = tl.load(sink_ptr + head)
        m = tl.maximum(tl.max(scores, 0), sink)
        p = tl.exp(scores - m)
        v = tl.load(v_ptr + at, mask=inside[:, None], other=0.0)
        total = tl.sum(p, 0) + tl.exp(sink - m)
        tl.store(o_ptr + (head * 48 + query) * 16 + d, tl.sum(p[:, None] * v, 0) / total)
        """, attention_sinks, COARSE, grid=(2, 48))

    yield kernel("merge_attention_states", {"a_ptr": fp16(9, 4, 32), "lse_a_ptr": fp32(9, 4), "b_ptr": fp16(9, 4, 32), "lse_b_ptr": fp32(9, 4),
                                            "o_ptr": of(FP16, 9, 4, 32), "lse_ptr": of(FP32, 9, 4), "heads": 4}, """
        token, head = tl.program_id(0), tl.program_id(1)
        at = token * heads + head
        d = tl.arange(0, 32)
        lse_a, lse_b = tl.load(lse_a_ptr + at), tl.load(lse_b_ptr + at)
        m = tl.maximum(lse_a, lse_b)
        wa, wb = tl.exp(lse_a - m), tl.exp(lse_b - m)
        a = tl.load(a_ptr + at * 32 + d).to(tl.float32)
        b = tl.load(b_ptr + at * 32 + d).to(tl.float32)
        tl.store(o_ptr + at * 32 + d, ((a * wa + b * wb) / (wa + wb)).to(tl.float16))
        tl.store(lse_ptr + at, m + tl.log(wa + wb))
        """, merge_states, HALF, grid=(9, 4))

    yield kernel("cross_attention_padding", {"q_ptr": fp32(2, 24, 32), "k_ptr": fp32(2, 40, 32), "v_ptr": fp32(2, 40, 32),
                                             "padded_ptr": of(I32, 2, 40, data=np.random.default_rng(5).integers(0, 2, (2, 40))), "o_ptr": of(FP32, 2, 24, 32)}, """
        batch = tl.program_id(0)
        r = tl.program_id(1) * 8 + tl.arange(0, 8)
        c = tl.arange(0, 64)
        d = tl.arange(0, 32)
        q = tl.load(q_ptr + batch * 24 * 32 + r[:, None] * 32 + d)
        k = tl.load(k_ptr + batch * 40 * 32 + c[:, None] * 32 + d, mask=(c < 40)[:, None], other=0)
        v = tl.load(v_ptr + batch * 40 * 32 + c[:, None] * 32 + d, mask=(c < 40)[:, None], other=0)
        padded = tl.load(padded_ptr + batch * 40 + c, mask=c < 40, other=1) != 0
        scores = tl.sum(q[:, None, :] * k[None, :, :], axis=2) * 0.17677669529663687
        scores = tl.where(padded[None, :], -1e30, scores)
        p = tl.exp(scores - tl.max(scores, 1)[:, None])
        o = tl.sum(p[:, :, None] * v[None, :, :], axis=1) / tl.sum(p, 1)[:, None]
        tl.store(o_ptr + batch * 24 * 32 + r[:, None] * 32 + d, o)
        """, cross_attention, COARSE, grid=(2, 3))

    yield kernel("delta_rule_recurrent", {"q_ptr": fp32(2, 12, 16), "k_ptr": fp32(2, 12, 16), "v_ptr": fp32(2, 12, 32), "beta_ptr": of(FP32, 2, 12, data=("uniform", 0, 1)),
                                          "o_ptr": of(FP32, 2, 12, 32), "state_ptr": of(FP32, 2, 16, 32), "T": 12}, """
        head, part = tl.program_id(0), tl.program_id(1)
        i = tl.arange(0, 16)
        j = part * 8 + tl.arange(0, 8)
        state = tl.zeros((16, 8), dtype=tl.float32)
        for t in range(T):
            k = tl.load(k_ptr + (head * T + t) * 16 + i)
            k = k / tl.sqrt(tl.sum(k * k) + 1e-6)
            q = tl.load(q_ptr + (head * T + t) * 16 + i)
            v = tl.load(v_ptr + (head * T + t) * 32 + j)
            beta = tl.load(beta_ptr + head * T + t)
            v = (v - tl.sum(state * k[:, None], 0)) * beta
            state += k[:, None] * v[None, :]
            tl.store(o_ptr + (head * T + t) * 32 + j, tl.sum(state * q[:, None], 0))
        tl.store(state_ptr + head * 512 + i[:, None] * 32 + j[None, :], state)
        """, delta_rule, COARSE, grid=(2, 4))

    yield kernel("retention_chunk", {"q_ptr": fp32(3, 32, 16), "k_ptr": fp32(3, 32, 16), "v_ptr": fp32(3, 32, 16), "o_ptr": of(FP32, 3, 32, 16)}, """
        head = tl.program_id(0)
        decay = tl.log2(1 - tl.exp2(-2.0 - head.to(tl.float32)))
        i = tl.arange(0, 16)
        d = tl.arange(0, 16)
        state = tl.zeros((16, 16), dtype=tl.float32)
        inner = tl.where(i[:, None] >= i[None, :], tl.exp2((i[:, None] - i[None, :]) * decay), 0.0)
        for chunk in tl.static_range(2):
            at = (head * 32 + chunk * 16 + i)[:, None] * 16 + d[None, :]
            q, k, v = tl.load(q_ptr + at), tl.load(k_ptr + at), tl.load(v_ptr + at)
            o = tl.dot(tl.dot(q, tl.trans(k), input_precision="ieee") * inner, v, input_precision="ieee")
            o += tl.dot(q, state, input_precision="ieee") * tl.exp2((i + 1) * decay)[:, None]
            k *= tl.exp2((15 - i) * decay)[:, None]
            state = state * tl.exp2(16.0 * decay) + tl.dot(tl.trans(k), v, input_precision="ieee")
            tl.store(o_ptr + at, o)
        """, retention, COARSE, grid=(3,))

    yield kernel("attention_relative_bias", {"q_ptr": fp16(2, 32, 16), "k_ptr": fp16(2, 32, 16), "v_ptr": fp16(2, 32, 16), "bias_ptr": fp32(2, 63),
                                             "o_ptr": of(FP32, 2, 32, 16)}, """
        head = tl.program_id(0)
        i = tl.arange(0, 32)
        d = tl.arange(0, 16)
        at = (head * 32 + i)[:, None] * 16 + d[None, :]
        scores = tl.dot(tl.load(q_ptr + at), tl.load(k_ptr + at).trans(), out_dtype=tl.float32) * 0.25
        scores += tl.load(bias_ptr + head * 63 + 31 + i[:, None] - i[None, :])
        p = tl.softmax(scores, dim=1, keep_dims=True)
        tl.store(o_ptr + at, tl.dot(p.to(tl.float16), tl.load(v_ptr + at)))
        """, relative_bias, HALF, grid=(2,))


def causal_with_lse(v):
    i = np.arange(80)
    o, lse = attend(wide(v.q_ptr), wide(v.k_ptr), wide(v.v_ptr), v.scale, i[:, None] >= i[None, :])
    return {"o_ptr": o, "lse_ptr": lse}


def grouped_query_window(v):
    i = np.arange(64)
    far = i[:, None] - i[None, :]
    return {"o_ptr": attend(wide(v.q_ptr), np.repeat(wide(v.k_ptr), 2, 0), np.repeat(wide(v.v_ptr), 2, 0), 0.25,
                            (far >= 0) & (far < v.window))[0]}


def paged_decode(v):
    out = np.empty((3, 4, 32))
    for sequence in range(3):
        keys = wide(v.k_ptr)[v.table_ptr[sequence]].reshape(-1, 32)[:v.lengths_ptr[sequence]]
        values = wide(v.v_ptr)[v.table_ptr[sequence]].reshape(-1, 32)[:v.lengths_ptr[sequence]]
        out[sequence] = softmax(wide(v.q_ptr)[sequence] @ keys.T * v.scale) @ values
    return {"o_ptr": out}


def attention_alibi(v):
    i = np.arange(32)
    slope = 2.0 ** (-2.0 * (np.arange(4) + 1))
    return {"o_ptr": attend(wide(v.q_ptr), wide(v.k_ptr), wide(v.v_ptr), 0.25, i[:, None] >= i[None, :],
                            slope[:, None, None] * (i[None, :] - i[:, None]))[0]}


def attention_varlen(v):
    out = np.empty((70, 2, 16))
    for begin, end in zip(v.starts_ptr, v.starts_ptr[1:]):
        if begin == end:
            continue
        q, k, values = (wide(x)[begin:end].transpose(1, 0, 2) for x in (v.q_ptr, v.k_ptr, v.v_ptr))
        out[begin:end] = attend(q, k, values, 0.25, True)[0].transpose(1, 0, 2)
    return {"o_ptr": out}


def attention_sinks(v):
    i = np.arange(48)
    far = i[:, None] - i[None, :]
    allowed = (far >= 0) & ((i[None, :] < v.kept) | (far < v.recent))
    scores = np.where(allowed, np.einsum("hqd,hkd->hqk", wide(v.q_ptr), wide(v.k_ptr)) * 0.25, -np.inf)
    with_sink = np.concatenate([scores, np.broadcast_to(wide(v.sink_ptr)[:, None, None], (2, 48, 1))], 2)
    return {"o_ptr": np.einsum("hqk,hkd->hqd", softmax(with_sink)[:, :, :-1], wide(v.v_ptr))}


def merge_states(v):
    a, b = np.exp(wide(v.lse_a_ptr)), np.exp(wide(v.lse_b_ptr))
    share = (a / (a + b))[..., None]
    return {"o_ptr": wide(v.a_ptr) * share + wide(v.b_ptr) * (1 - share), "lse_ptr": np.log(a + b)}


def cross_attention(v):
    return {"o_ptr": attend(wide(v.q_ptr), wide(v.k_ptr), wide(v.v_ptr), 32 ** -0.5, v.padded_ptr[:, None, :] == 0)[0]}


def delta_rule(v):
    out, states = np.empty((2, 12, 32)), np.zeros((2, 16, 32))
    for head in range(2):
        for t in range(12):
            k = wide(v.k_ptr)[head, t]
            k = k / np.sqrt(k @ k + 1e-6)
            change = (wide(v.v_ptr)[head, t] - k @ states[head]) * wide(v.beta_ptr)[head, t]
            states[head] += np.outer(k, change)
            out[head, t] = wide(v.q_ptr)[head, t] @ states[head]
    return {"o_ptr": out, "state_ptr": states}


def retention(v):
    i = np.arange(32)
    gamma = 1 - 2.0 ** (-2.0 - np.arange(3))
    decay = np.where(i[:, None] >= i[None, :], gamma[:, None, None] ** np.maximum(i[:, None] - i[None, :], 0), 0)
    scores = np.einsum("hqd,hkd->hqk", wide(v.q_ptr), wide(v.k_ptr)) * decay
    return {"o_ptr": scores @ wide(v.v_ptr)}


def relative_bias(v):
    i = np.arange(32)
    bias = wide(v.bias_ptr)[:, 31 + i[:, None] - i[None, :]]
    return {"o_ptr": attend(wide(v.q_ptr), wide(v.k_ptr), wide(v.v_ptr), 0.25, True, bias)[0]}
