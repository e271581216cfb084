# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmaxes and losses."""

import numpy as np

from .kernel import COARSE, EXACT, FP16, FP32, HALF, I32, Tolerance, fp16, fp32, i32, kernel, of, sigmoid, softmax, wide



def log_softmax(x):
    return x - x.max(axis=-1, keepdims=True) - np.log(np.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True))


def cases():
    yield kernel("softmax_additive_mask", {"x_ptr": fp16(3, 8, 100), "mask_ptr": of(FP16, 8, 100, data=np.where(
        np.random.default_rng(1).random((8, 100)) < 0.3, -np.inf, 0.0)), "y_ptr": of(FP16, 3, 8, 100), "n": 100, "scale": 0.25}, """
        row, batch = tl.program_id(0), tl.program_id(1)
        i = tl.arange(0, 128)
        x = tl.load(x_ptr + (batch * 8 + row) * n + i, mask=i < n, other=-float("inf")).to(tl.float32) * scale
        x += tl.load(mask_ptr + row * n + i, mask=i < n, other=0.0)
        x = tl.exp(x - tl.max(x, axis=0))
        y = x / tl.sum(x, axis=0)
        tl.store(y_ptr + (batch * 8 + row) * n + i, y.to(tl.float16), mask=i < n)
        """, lambda v: {"y_ptr": softmax(wide(v.x_ptr) * v.scale + wide(v.mask_ptr))}, HALF, grid=(8, 3))

    yield kernel("softmax_softcap", {"x_ptr": fp32(12, 200, scale=20), "y_ptr": of(FP32, 12, 200), "n": 200, "cap": 15.0}, """
        row = tl.program_id(0)
        i = tl.arange(0, 256)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0) / cap
        x = cap * (1.0 - 2.0 / (tl.exp(2.0 * x) + 1.0))
        x = tl.where(i < n, x, -float("inf"))
        e = tl.exp2((x - tl.max(x, 0)) * 1.4426950408889634)
        tl.store(y_ptr + row * n + i, e / tl.sum(e, 0), mask=i < n)
        """, lambda v: {"y_ptr": softmax(v.cap * np.tanh(wide(v.x_ptr) / v.cap))}, COARSE, grid=(12,))

    yield kernel("log_softmax_backward", {"dy_ptr": fp32(6, 130), "y_ptr": of(FP32, 6, 130, data=("uniform", -6, -2)),
                                          "dx_ptr": of(FP32, 6, 130), "n": 130}, """
        row = tl.program_id(0)
        total = 0.0
        for start in range(0, n, 64):
            i = start + tl.arange(0, 64)
            total += tl.sum(tl.load(dy_ptr + row * n + i, mask=i < n, other=0.0), 0)
        for start in range(0, n, 64):
            i = start + tl.arange(0, 64)
            dy = tl.load(dy_ptr + row * n + i, mask=i < n)
            y = tl.load(y_ptr + row * n + i, mask=i < n)
            tl.store(dx_ptr + row * n + i, dy - tl.exp(y) * total, mask=i < n)
        """, lambda v: {"dx_ptr": wide(v.dy_ptr) - np.exp(wide(v.y_ptr)) * wide(v.dy_ptr).sum(1, keepdims=True)}, COARSE, grid=(6,))

    yield kernel("sparsemax_rows", {"x_ptr": fp32(10, 64), "y_ptr": of(FP32, 10, 64)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 64)
        x = tl.load(x_ptr + row * 64 + i)
        x -= tl.max(x, 0)
        z = tl.sort(x, descending=True)
        total = tl.cumsum(z, 0)
        k = (i + 1).to(tl.float32)
        supported = 1.0 + k * z > total
        size = tl.sum(supported.to(tl.int32), 0)
        threshold = (tl.sum(tl.where(i == size - 1, total, 0.0), 0) - 1.0) / size
        tl.store(y_ptr + row * 64 + i, tl.maximum(x - threshold, 0.0))
        """, sparsemax, COARSE, grid=(10,))

    yield kernel("cross_entropy_smoothed", {"x_ptr": fp16(11, 700, scale=3), "target_ptr": of(I32, 11, data=[3, 699, -100, 0, 5, 77, 512, -100, 255, 256, 9]),
                                            "loss_ptr": of(FP32, 11), "n": 700, "ignored": -100, "smoothing": 0.1}, """
        row = tl.program_id(0)
        target = tl.load(target_ptr + row)
        if target == ignored:
            tl.store(loss_ptr + row, 0.0)
            return
        x_ptr += row * n
        m = -float("inf")
        s = 0.0
        total = 0.0
        for start in range(0, n, BLOCK):
            i = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + i, mask=i < n, other=-float("inf")).to(tl.float32)
            new = tl.maximum(m, tl.max(x, 0))
            s = s * tl.exp(m - new) + tl.sum(tl.exp(x - new), 0)
            m = new
            total += tl.sum(tl.where(i < n, x, 0.0), 0)
        lse = m + tl.log(s)
        picked = tl.load(x_ptr + target).to(tl.float32)
        loss = (1 - smoothing) * (lse - picked) + smoothing * (lse - total / n)
        tl.store(loss_ptr + row, loss)
        """, cross_entropy_smoothed, COARSE, grid=(11,), constexprs={"BLOCK": 256})

    yield kernel("cross_entropy_z_loss_gradient", {"x_ptr": fp32(8, 96), "target_ptr": i32(8, below=96), "loss_ptr": of(FP32, 8),
                                                   "n": 96, "z_scale": 1e-2}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
        target = tl.load(target_ptr + row)
        m = tl.max(x, axis=0)
        e = tl.exp(x - m)
        s = tl.sum(e, axis=0)
        lse = m + tl.log(s)
        tl.store(loss_ptr + row, lse - tl.sum(tl.where(i == target, x, 0.0)) + z_scale * lse * lse)
        dx = e / s * (1.0 + 2.0 * z_scale * lse) - tl.where(i == target, 1.0, 0.0)
        tl.store(x_ptr + row * n + i, dx, mask=i < n)
        """, cross_entropy_z_loss, COARSE, grid=(8,))

    yield kernel("jensen_shannon", {"p_ptr": fp32(5, 90), "q_ptr": fp32(5, 90), "loss_ptr": of(FP32, 5), "n": 90, "beta": 0.3}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        mask = i < n
        p = tl.load(p_ptr + row * n + i, mask=mask, other=-float("inf"))
        q = tl.load(q_ptr + row * n + i, mask=mask, other=-float("inf"))
        p = tl.softmax(p)
        q = tl.softmax(q)
        middle = tl.where(mask, beta * p + (1 - beta) * q, 1.0)
        safe_p = tl.where(mask, p, 1.0)
        safe_q = tl.where(mask, q, 1.0)
        loss = beta * p * (tl.log(safe_p) - tl.log(middle)) + (1 - beta) * q * (tl.log(safe_q) - tl.log(middle))
        tl.store(loss_ptr + row, tl.sum(loss, 0))
        """, jensen_shannon, COARSE, grid=(5,))

    yield kernel("bce_with_logits", {"x_ptr": fp32(1000, scale=4), "y_ptr": of(FP32, 1000, data=("uniform", 0, 1)),
                                     "sum_ptr": of(FP32, 1, data=0.0), "dx_ptr": of(FP32, 1000), "n": 1000, "pos_weight": 2.0}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        mask = i < n
        x = tl.load(x_ptr + i, mask=mask, other=0.0)
        y = tl.load(y_ptr + i, mask=mask, other=0.0)
        weight = 1 + (pos_weight - 1) * y
        soft = tl.log(1 + tl.exp(-tl.abs(x))) + tl.maximum(-x, 0.0)
        loss = (1 - y) * x + weight * soft
        tl.atomic_add(sum_ptr, tl.sum(tl.where(mask, loss, 0.0), 0))
        p = tl.sigmoid(x)
        tl.store(dx_ptr + i, (1 - y) - weight * (1 - p), mask=mask)
        """, bce_with_logits, COARSE, grid=(4,))

    yield kernel("smooth_l1_gradient", {"x_ptr": fp32(777), "y_ptr": fp32(777), "loss_ptr": of(FP32, 777), "dx_ptr": of(FP32, 777),
                                        "n": 777, "beta": 0.5}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        mask = i < n
        d = tl.load(x_ptr + i, mask=mask) - tl.load(y_ptr + i, mask=mask)
        size = tl.abs(d)
        is_small = size < beta
        tl.store(loss_ptr + i, tl.where(is_small, 0.5 * d * d / beta, size - 0.5 * beta), mask=mask)
        sign = tl.where(d > 0, 1.0, tl.where(d < 0, -1.0, 0.0))
        tl.store(dx_ptr + i, tl.where(is_small, d / beta, sign), mask=mask)
        """, smooth_l1, grid=(7,))

    yield kernel("focal_loss", {"x_ptr": fp32(40, 10), "target_ptr": i32(40, below=10), "loss_ptr": of(FP32, 40), "n": 10, "gamma": 2.0}, """
        rows = tl.program_id(0) * 16 + tl.arange(0, 16)
        columns = tl.arange(0, 16)
        mask = (rows < 40)[:, None] & (columns < n)[None, :]
        x = tl.load(x_ptr + rows[:, None] * n + columns[None, :], mask=mask, other=-1e30)
        target = tl.load(target_ptr + rows, mask=rows < 40, other=0)
        x -= tl.max(x, 1)[:, None]
        log_p = x - tl.log(tl.sum(tl.exp(x), 1))[:, None]
        picked = tl.sum(tl.where(columns[None, :] == target[:, None], log_p, 0.0), 1)
        rest = 1 - tl.exp(picked)
        tl.store(loss_ptr + rows, -tl.exp(gamma * tl.log(tl.maximum(rest, 1e-30))) * picked, mask=rows < 40)
        """, focal_loss, COARSE, grid=(3,))

    yield kernel("dpo_loss", {"chosen_ptr": fp32(50, scale=5), "rejected_ptr": fp32(50, scale=5), "ref_chosen_ptr": fp32(50, scale=5),
                              "ref_rejected_ptr": fp32(50, scale=5), "loss_ptr": of(FP32, 50), "reward_ptr": of(I32, 1, data=0), "n": 50, "beta": 0.1}, """
        i = tl.arange(0, 64)
        mask = i < n
        margin = tl.load(chosen_ptr + i, mask=mask) - tl.load(rejected_ptr + i, mask=mask)
        margin -= tl.load(ref_chosen_ptr + i, mask=mask) - tl.load(ref_rejected_ptr + i, mask=mask)
        z = beta * margin
        loss = tl.where(z > 0, tl.log(1 + tl.exp(-z)), -z + tl.log(1 + tl.exp(z)))
        tl.store(loss_ptr + i, loss, mask=mask)
        tl.store(reward_ptr, tl.sum(((z > 0) & mask).to(tl.int32), 0))
        """, dpo_loss, COARSE)

    yield kernel("cosine_similarity_loss", {"a_ptr": fp32(20, 48), "b_ptr": fp32(20, 48), "y_ptr": of(I32, 20, data=np.arange(20) % 3 - 1),
                                            "loss_ptr": of(FP32, 20), "margin": 0.1}, """
        row = tl.program_id(0)
        i = tl.arange(0, 64)
        a = tl.load(a_ptr + row * 48 + i, mask=i < 48, other=0.0)
        b = tl.load(b_ptr + row * 48 + i, mask=i < 48, other=0.0)
        cos = tl.sum(a * b) / tl.sqrt(tl.sum(a * a) * tl.sum(b * b) + 1e-12)
        y = tl.load(y_ptr + row)
        if y > 0:
            loss = 1 - cos
        elif y < 0:
            loss = tl.maximum(cos - margin, 0.0)
        else:
            loss = cos * 0
        tl.store(loss_ptr + row, loss)
        """, cosine_loss, COARSE, grid=(20,))

    yield kernel("entropy_of_logits", {"x_ptr": fp32(13, 333, scale=2), "h_ptr": of(FP32, 13), "best_ptr": of(I32, 13), "n": 333}, """
        row = tl.program_id(0)
        i = tl.arange(0, 512)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
        best, where = tl.max(x, axis=0, return_indices=True)
        e = tl.exp(x - best)
        s = tl.sum(e, 0)
        mean = tl.sum(tl.where(i < n, e * (x - best), 0.0), 0) / s
        tl.store(h_ptr + row, tl.log(s) - mean)
        tl.store(best_ptr + row, where)
        """, entropy_of_logits, COARSE, grid=(13,))

    yield kernel("accuracy_top1", {"x_ptr": fp32(64, 32), "target_ptr": i32(64, below=32), "correct_ptr": of(I32, 1, data=0)}, """
        rows = tl.program_id(0) * 16 + tl.arange(0, 16)
        x = tl.load(x_ptr + rows[:, None] * 32 + tl.arange(0, 32)[None, :])
        hit = tl.argmax(x, axis=1) == tl.load(target_ptr + rows)
        tl.atomic_add(correct_ptr, tl.sum(hit.to(tl.int32), axis=0))
        """, lambda v: {"correct_ptr": [(v.x_ptr.argmax(1) == v.target_ptr).sum()]}, EXACT, grid=(4,))


def sparsemax(v):
    x = wide(v.x_ptr)
    out = np.empty_like(x)
    for row, values in enumerate(x):
        low, high = values.max() - 1, values.max()
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if np.maximum(values - middle, 0).sum() > 1 else (low, middle)
        out[row] = np.maximum(values - low, 0)
    return {"y_ptr": out}


def cross_entropy_smoothed(v):
    log_p = log_softmax(wide(v.x_ptr))
    safe = np.maximum(v.target_ptr, 0)
    loss = -(1 - v.smoothing) * log_p[np.arange(11), safe] - v.smoothing * log_p.mean(1)
    return {"loss_ptr": np.where(v.target_ptr == v.ignored, 0, loss)}


def cross_entropy_z_loss(v):
    x = wide(v.x_ptr)
    log_p = log_softmax(x)
    lse = (x - log_p)[:, 0]
    target = np.eye(96)[v.target_ptr]
    return {"loss_ptr": -(log_p * target).sum(1) + v.z_scale * lse ** 2,
            "x_ptr": np.exp(log_p) * (1 + 2 * v.z_scale * lse)[:, None] - target}


def jensen_shannon(v):
    p, q = softmax(wide(v.p_ptr)), softmax(wide(v.q_ptr))
    m = v.beta * p + (1 - v.beta) * q
    return {"loss_ptr": (v.beta * p * np.log(p / m) + (1 - v.beta) * q * np.log(q / m)).sum(1)}


def bce_with_logits(v):
    x, y = wide(v.x_ptr), wide(v.y_ptr)
    weight = 1 + (v.pos_weight - 1) * y
    loss = (1 - y) * x + weight * np.log1p(np.exp(-x))
    return {"sum_ptr": [loss.sum()], "dx_ptr": (1 - y) - weight * (1 - sigmoid(x))}


def smooth_l1(v):
    d = wide(v.x_ptr) - wide(v.y_ptr)
    small = np.abs(d) < v.beta
    return {"loss_ptr": np.where(small, d * d / (2 * v.beta), np.abs(d) - v.beta / 2),
            "dx_ptr": np.where(small, d / v.beta, np.sign(d))}


def focal_loss(v):
    picked = log_softmax(wide(v.x_ptr))[np.arange(40), v.target_ptr]
    return {"loss_ptr": -(1 - np.exp(picked)) ** v.gamma * picked}


def dpo_loss(v):
    z = v.beta * (wide(v.chosen_ptr) - wide(v.rejected_ptr) - wide(v.ref_chosen_ptr) + wide(v.ref_rejected_ptr))
    return {"loss_ptr": -np.log(sigmoid(z)), "reward_ptr": [(z > 0).sum()]}


def cosine_loss(v):
    a, b = wide(v.a_ptr), wide(v.b_ptr)
    cos = (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1) + 1e-12)
    return {"loss_ptr": np.select([v.y_ptr > 0, v.y_ptr < 0], [1 - cos, np.maximum(cos - v.margin, 0)], 0)}


def entropy_of_logits(v):
    log_p = log_softmax(wide(v.x_ptr))
    return {"h_ptr": -(np.exp(log_p) * log_p).sum(1), "best_ptr": v.x_ptr.argmax(1)}
