# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Scans and recurrences, sorting, counting, choosing."""

import numpy as np

from .kernel import COARSE, EXACT, FP16, FP32, HALF, I32, I64, U8, Tolerance, cdiv, fp16, fp32, i32, kernel, of, sigmoid, softmax, wide


def scan_cases():
    yield kernel("cumsum_carried", {"x_ptr": fp32(5, 500), "y_ptr": of(FP32, 5, 500), "n": 500}, """
        row = tl.program_id(0)
        carried = 0.0
        for start in range(0, n, 128):
            i = start + tl.arange(0, 128)
            x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
            tl.store(y_ptr + row * n + i, tl.cumsum(x, 0) + carried, mask=i < n)
            carried += tl.sum(x, 0)
        """, lambda v: {"y_ptr": wide(v.x_ptr).cumsum(1)}, COARSE, grid=(5,))
    yield kernel("exclusive_and_reversed_sums", {"x_ptr": i32(300), "before_ptr": of(I32, 300), "behind_ptr": of(I32, 300), "n": 300}, """
        i = tl.arange(0, 512)
        x = tl.load(x_ptr + i, mask=i < n, other=0)
        tl.store(before_ptr + i, tl.cumsum(x, 0) - x, mask=i < n)
        tl.store(behind_ptr + i, tl.cumsum(x, 0, reverse=True), mask=i < n)
        """, lambda v: {"before_ptr": v.x_ptr.cumsum() - v.x_ptr, "behind_ptr": v.x_ptr[::-1].cumsum()[::-1]}, EXACT)
    yield kernel("cummax_with_index", {"x_ptr": fp32(8, 128), "y_ptr": of(FP32, 8, 128), "at_ptr": of(I32, 8, 128)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        x = tl.load(x_ptr + row * 128 + i)
        y, at = tl.associative_scan((x, i), 0, keep_larger)
        tl.store(y_ptr + row * 128 + i, y)
        tl.store(at_ptr + row * 128 + i, at)
        """, cummax, EXACT, grid=(8,), helpers="""
        @triton.jit
        def keep_larger(x, i, y, j):
            take = y >= x
            return tl.where(take, y, x), tl.where(take, j, i)

        """)
    yield kernel("segmented_sum", {"x_ptr": fp32(256), "flag_ptr": of(I32, 256, data=(np.random.default_rng(2).random(256) < 0.1)), "y_ptr": of(FP32, 256)}, """
        i = tl.arange(0, 256)
        x = tl.load(x_ptr + i)
        f = tl.load(flag_ptr + i)
        y, _ = tl.associative_scan((x, f), axis=0, combine_fn=add_within)
        tl.store(y_ptr + i, y)
        """, segmented_sum, COARSE, helpers="""
        @triton.jit
        def add_within(x, f, y, g):
            return tl.where(g != 0, y, x + y), f | g

        """)
    yield kernel("mamba_selective_scan", {"u_ptr": fp32(20, 32), "delta_ptr": fp32(20, 32), "a_ptr": of(FP32, 32, 16, data=("uniform", -2, -0.1)), "b_ptr": fp32(20, 16),
                                          "c_ptr": fp32(20, 16), "d_ptr": fp32(32), "y_ptr": of(FP32, 20, 32), "T": 20}, """
        channel = tl.program_id(0) * 16 + tl.arange(0, 16)
        s = tl.arange(0, 16)
        a = tl.load(a_ptr + channel[:, None] * 16 + s[None, :])
        skip = tl.load(d_ptr + channel)
        state = tl.zeros((16, 16), tl.float32)
        for t in range(T):
            delta = tl.load(delta_ptr + t * 32 + channel)
            delta = tl.where(delta > 20.0, delta, tl.log(1 + tl.exp(delta)))
            u = tl.load(u_ptr + t * 32 + channel)
            b, c = tl.load(b_ptr + t * 16 + s), tl.load(c_ptr + t * 16 + s)
            state = tl.exp(delta[:, None] * a) * state + (delta * u)[:, None] * b[None, :]
            tl.store(y_ptr + t * 32 + channel, tl.sum(state * c[None, :], axis=1) + skip * u)
        """, selective_scan, COARSE, grid=(2,))
    yield kernel("ssm_state_update", {"state_ptr": fp32(3, 24, 16), "x_ptr": fp32(3, 24), "dt_ptr": of(FP32, 3, 24, data=("uniform", 0, 1)), "a_ptr": of(FP32, 24, 16, data=("uniform", -1, 0)),
                                      "b_ptr": fp32(3, 16), "c_ptr": fp32(3, 16), "z_ptr": fp32(3, 24), "y_ptr": of(FP32, 3, 24), "dim": 24}, """
        batch = tl.program_id(1)
        m = tl.program_id(0) * 8 + tl.arange(0, 8)
        n = tl.arange(0, 16)
        at = state_ptr + (batch * dim + m)[:, None] * 16 + n[None, :]
        dt = tl.load(dt_ptr + batch * dim + m)
        x = tl.load(x_ptr + batch * dim + m)
        state = tl.load(at) * tl.exp(tl.load(a_ptr + m[:, None] * 16 + n[None, :]) * dt[:, None])
        state += tl.load(b_ptr + batch * 16 + n)[None, :] * (dt * x)[:, None]
        tl.store(at, state)
        z = tl.load(z_ptr + batch * dim + m)
        y = tl.sum(state * tl.load(c_ptr + batch * 16 + n)[None, :], 1)
        tl.store(y_ptr + batch * dim + m, y * z * tl.sigmoid(z))
        """, state_update, COARSE, grid=(3, 3))
    yield kernel("linear_recurrence_columns", {"a_ptr": of(FP32, 64, 40, data=("uniform", 0, 1)), "x_ptr": fp32(64, 40), "h_ptr": of(FP32, 64, 40)}, """
        t = tl.arange(0, 64)
        column = tl.program_id(0) * 16 + tl.arange(0, 16)
        at = t[:, None] * 40 + column[None, :]
        mask = (column < 40)[None, :]
        a = tl.load(a_ptr + at, mask=mask, other=0.0)
        x = tl.load(x_ptr + at, mask=mask, other=0.0)
        _, h = tl.associative_scan((a, x), 0, follow)
        tl.store(h_ptr + at, h, mask=mask)
        """, recurrence, COARSE, grid=(3,), helpers="""
        @triton.jit
        def follow(a, x, b, y):
            return a * b, b * x + y

        """)
    yield kernel("wkv_recurrence", {"k_ptr": fp32(15, 32), "v_ptr": fp32(15, 32), "w_ptr": of(FP32, 32, data=("uniform", -2, -0.1)), "u_ptr": fp32(32), "y_ptr": of(FP32, 15, 32)}, """
        c = tl.arange(0, 32)
        w, u = tl.load(w_ptr + c), tl.load(u_ptr + c)
        num = tl.zeros_like(w)
        den = tl.zeros_like(w)
        top = tl.full((32,), -1e38, tl.float32)
        for t in range(15):
            k, v = tl.load(k_ptr + t * 32 + c), tl.load(v_ptr + t * 32 + c)
            m = tl.maximum(top, u + k)
            e1, e2 = tl.exp(top - m), tl.exp(u + k - m)
            tl.store(y_ptr + t * 32 + c, (e1 * num + e2 * v) / (e1 * den + e2))
            m = tl.maximum(top + w, k)
            e1, e2 = tl.exp(top + w - m), tl.exp(k - m)
            num, den, top = e1 * num + e2 * v, e1 * den + e2, m
        """, wkv, COARSE)
    yield kernel("moving_average_state", {"x_ptr": fp16(6, 90), "state_ptr": fp32(6), "y_ptr": of(FP32, 6, 90), "alpha": 0.2}, """
        row = tl.program_id(0)
        state = tl.load(state_ptr + row)
        for i in range(90):
            state += alpha * (tl.load(x_ptr + row * 90 + i).to(tl.float32) - state)
            tl.store(y_ptr + row * 90 + i, state)
        tl.store(state_ptr + row, state)
        """, moving_average, COARSE, grid=(6,))
    yield kernel("stream_compaction", {"x_ptr": i32(256), "y_ptr": of(I32, 256, data=-1), "count_ptr": of(I32, 1)}, """
        i = tl.arange(0, 256)
        x = tl.load(x_ptr + i)
        kept = x % 3 == 0
        at = tl.cumsum(kept.to(tl.int32), 0) - 1
        tl.store(y_ptr + at, x, mask=kept)
        tl.store(count_ptr, tl.sum(kept.to(tl.int32), 0))
        """, compaction, EXACT)


def order_cases():
    yield kernel("argsort_by_packed_keys", {"x_ptr": of(I32, 6, 64, data=("integers", -1000, 1000)), "at_ptr": of(I32, 6, 64)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 64)
        key = (tl.load(x_ptr + row * 64 + i).to(tl.int64) << 32) | i.to(tl.int64)
        tl.store(at_ptr + row * 64 + i, (tl.sort(key) & 0xFFFFFFFF).to(tl.int32))
        """, lambda v: {"at_ptr": v.x_ptr.argsort(1, kind="stable")}, EXACT, grid=(6,))
    yield kernel("top_k_by_argmax", {"x_ptr": fp32(7, 100), "best_ptr": of(FP32, 7, 5), "at_ptr": of(I32, 7, 5)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        x = tl.load(x_ptr + row * 100 + i, mask=i < 100, other=-float("inf"))
        for k in tl.static_range(5):
            best, at = tl.max(x, axis=0), tl.argmax(x, axis=0)
            tl.store(best_ptr + row * 5 + k, best)
            tl.store(at_ptr + row * 5 + k, at)
            x = tl.where(i == at, -float("inf"), x)
        """, lambda v: {"at_ptr": (-v.x_ptr).argsort(1)[:, :5], "best_ptr": -np.sort(-v.x_ptr, 1)[:, :5]}, EXACT, grid=(7,))
    yield kernel("row_medians", {"x_ptr": fp32(9, 63), "y_ptr": of(FP32, 9)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 64)
        x = tl.sort(tl.load(x_ptr + row * 63 + i, mask=i < 63, other=float("inf")))
        tl.store(y_ptr + row, tl.sum(tl.where(i == 31, x, 0.0), 0))
        """, lambda v: {"y_ptr": np.median(v.x_ptr, 1)}, EXACT, grid=(9,))
    yield kernel("merge_by_rank", {"a_ptr": of(I32, 64, data=np.sort(np.random.default_rng(1).permutation(256)[:64])), "b_ptr": of(I32, 64, data=np.sort(np.random.default_rng(1).permutation(256)[64:128])),
                                   "y_ptr": of(I32, 128)}, """
        i = tl.arange(0, 64)
        a, b = tl.load(a_ptr + i), tl.load(b_ptr + i)
        less = b[None, :] < a[:, None]
        tl.store(y_ptr + i + tl.sum(less.to(tl.int32), 1), a)
        tl.store(y_ptr + i + tl.sum((~less).to(tl.int32), 0), b)
        """, lambda v: {"y_ptr": np.sort(np.concatenate([v.a_ptr, v.b_ptr]))}, EXACT)
    yield kernel("histogram_accumulated", {"x_ptr": of(U8, 1000, data="bits"), "count_ptr": of(I32, 64, data=0), "n": 1000}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        x = tl.load(x_ptr + i, mask=i < n, other=0)
        counts = tl.histogram((x >> 2).to(tl.int32), 64, mask=i < n)
        tl.atomic_add(count_ptr + tl.arange(0, 64), counts)
        """, lambda v: {"count_ptr": np.bincount(v.x_ptr >> 2, minlength=64)}, EXACT, grid=(4,))
    yield kernel("weighted_bincount", {"x_ptr": i32(600, below=20), "w_ptr": fp32(600), "sum_ptr": of(FP32, 20, data=0.0)}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        x = tl.load(x_ptr + i, mask=i < 600)
        tl.atomic_add(sum_ptr + x, tl.load(w_ptr + i, mask=i < 600), mask=i < 600)
        """, lambda v: {"sum_ptr": np.bincount(v.x_ptr, wide(v.w_ptr), 20)}, COARSE, grid=(5,))
    yield kernel("unique_counts_sorted", {"x_ptr": i32(4, 128, below=30), "n_ptr": of(I32, 4)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        x = tl.sort(tl.load(x_ptr + row * 128 + i))
        before = tl.gather(x, tl.maximum(i - 1, 0), 0)
        tl.store(n_ptr + row, tl.sum(((i == 0) | (x != before)).to(tl.int32), 0))
        """, lambda v: {"n_ptr": [len(np.unique(row)) for row in v.x_ptr]}, EXACT, grid=(4,))
    yield kernel("min_p_sampling_filter", {"x_ptr": fp32(5, 200, scale=3), "y_ptr": of(FP32, 5, 200), "min_p": 0.05}, """
        row = tl.program_id(0)
        i = tl.arange(0, 256)
        x = tl.load(x_ptr + row * 200 + i, mask=i < 200, other=-float("inf"))
        p = tl.softmax(x)
        kept = p >= min_p * tl.max(p, 0)
        total = tl.sum(tl.where(kept, p, 0.0), 0)
        tl.store(y_ptr + row * 200 + i, tl.where(kept, p / total, 0.0), mask=i < 200)
        """, min_p, COARSE, grid=(5,))
    yield kernel("moe_top2_routing", {"x_ptr": fp32(33, 8), "expert_ptr": of(I32, 33, 2), "weight_ptr": of(FP32, 33, 2), "n": 33}, """
        token = tl.program_id(0) * 16 + tl.arange(0, 16)
        e = tl.arange(0, 8)
        mask = token < n
        x = tl.load(x_ptr + token[:, None] * 8 + e[None, :], mask=mask[:, None], other=0.0)
        first, one = tl.max(x, 1), tl.argmax(x, 1)
        rest = tl.where(e[None, :] == one[:, None], -float("inf"), x)
        second, two = tl.max(rest, 1), tl.argmax(rest, 1)
        share = tl.exp(second - first)
        tl.store(expert_ptr + token * 2, one, mask=mask)
        tl.store(expert_ptr + token * 2 + 1, two, mask=mask)
        tl.store(weight_ptr + token * 2, 1 / (1 + share), mask=mask)
        tl.store(weight_ptr + token * 2 + 1, share / (1 + share), mask=mask)
        """, top2, COARSE, grid=(3,))
    yield kernel("moe_align_blocks", {"expert_ptr": i32(60, below=6), "order_ptr": of(I32, 128, data=60), "block_expert_ptr": of(I32, 16, data=-1), "padded_ptr": of(I32, 1)}, """
        i = tl.arange(0, 64)
        e = tl.arange(0, 8)
        mask = i < 60
        expert = tl.load(expert_ptr + i, mask=mask, other=7)
        hit = (expert[:, None] == e[None, :]) & mask[:, None]
        rank = tl.sum(tl.where(hit, tl.cumsum(hit.to(tl.int32), 0) - 1, 0), 1)
        count = tl.sum(hit.to(tl.int32), 0)
        padded = tl.cdiv(count, 8) * 8
        begin = tl.cumsum(padded, 0) - padded
        at = tl.sum(tl.where(hit, begin[None, :], 0), 1) + rank
        tl.store(order_ptr + at, i, mask=mask)
        tl.store(padded_ptr, tl.sum(padded, 0))
        block = tl.arange(0, 16)
        inside = (block[:, None] * 8 >= begin[None, :]) & (block[:, None] * 8 < (begin + padded)[None, :])
        owner = tl.sum(tl.where(inside, e[None, :] + 1, 0), 1) - 1
        tl.store(block_expert_ptr + block, owner)
        """, align_blocks, EXACT)


def cases():
    yield from scan_cases()
    yield from order_cases()


def cummax(v):
    y = np.maximum.accumulate(v.x_ptr, 1)
    return {"y_ptr": y, "at_ptr": np.maximum.accumulate(np.where(v.x_ptr == y, np.arange(128), -1), 1)}


def segmented_sum(v):
    out, total = [], 0.0
    for x, flag in zip(wide(v.x_ptr), v.flag_ptr):
        total = x if flag else total + x
        out.append(total)
    return {"y_ptr": out}


def selective_scan(v):
    state, out = np.zeros((32, 16)), []
    for t in range(20):
        delta, u = np.log1p(np.exp(wide(v.delta_ptr)[t])), wide(v.u_ptr)[t]
        state = np.exp(delta[:, None] * wide(v.a_ptr)) * state + np.outer(delta * u, wide(v.b_ptr)[t])
        out.append(state @ wide(v.c_ptr)[t] + wide(v.d_ptr) * u)
    return {"y_ptr": out}


def state_update(v):
    dt, x, z = wide(v.dt_ptr), wide(v.x_ptr), wide(v.z_ptr)
    state = wide(v.state_ptr) * np.exp(wide(v.a_ptr) * dt[..., None]) + (dt * x)[..., None] * wide(v.b_ptr)[:, None]
    return {"state_ptr": state, "y_ptr": np.einsum("bdn,bn->bd", state, wide(v.c_ptr)) * z * sigmoid(z)}


def recurrence(v):
    h, out = np.zeros(40), []
    for a, x in zip(wide(v.a_ptr), wide(v.x_ptr)):
        h = a * h + x
        out.append(h)
    return {"h_ptr": out}


def wkv(v):
    k, w = wide(v.k_ptr), wide(v.w_ptr)
    out = np.empty((15, 32))
    for t in range(15):
        weight = np.exp(np.array([(t - 1 - s) * w + k[s] if s < t else wide(v.u_ptr) + k[t] for s in range(t + 1)]))
        out[t] = (weight * wide(v.v_ptr)[:t + 1]).sum(0) / weight.sum(0)
    return {"y_ptr": out}


def moving_average(v):
    state, out = wide(v.state_ptr).copy(), np.empty((6, 90))
    for i in range(90):
        state += v.alpha * (wide(v.x_ptr)[:, i] - state)
        out[:, i] = state
    return {"y_ptr": out, "state_ptr": state}


def compaction(v):
    kept = v.x_ptr[v.x_ptr % 3 == 0]
    return {"y_ptr": np.concatenate([kept, np.full(256 - len(kept), -1)]), "count_ptr": [len(kept)]}


def min_p(v):
    p = softmax(wide(v.x_ptr))
    kept = np.where(p >= v.min_p * p.max(1, keepdims=True), p, 0)
    return {"y_ptr": kept / kept.sum(1, keepdims=True)}


def top2(v):
    order = (-v.x_ptr).argsort(1)[:, :2]
    chosen = np.take_along_axis(wide(v.x_ptr), order, 1)
    return {"expert_ptr": order, "weight_ptr": softmax(chosen)}


def align_blocks(v):
    order, owners = [], []
    for expert in range(8):
        mine = np.flatnonzero(v.expert_ptr == expert).tolist()
        blocks = cdiv(len(mine), 8)
        order += mine + [60] * (blocks * 8 - len(mine))
        owners += [expert] * blocks
    return {"order_ptr": order + [60] * (128 - len(order)), "block_expert_ptr": owners + [-1] * (16 - len(owners)), "padded_ptr": [len(order)]}
