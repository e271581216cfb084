# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Rotary positions, activations with their gradients, dropout, and steps of optimizers."""

import numpy as np

from .kernel import (BF16, BRAIN, COARSE, EXACT, FINE, FP16, FP32, HALF, I32, fp16, fp32, i32, kernel, of, sigmoid, silu, wide)
from .random_numbers import uniform


def rotary_cases():
    yield kernel("rope_positions_partial", {"x_ptr": fp16(9, 3, 64), "cos_ptr": of(FP32, 50, 16, data=("uniform", -1, 1)),
                                            "sin_ptr": of(FP32, 50, 16, data=("uniform", -1, 1)), "position_ptr": i32(9, below=50), "heads": 3}, """
        token = tl.program_id(0)
        position = tl.load(position_ptr + token)
        head = tl.arange(0, 4)
        i = tl.arange(0, 16)
        cos = tl.load(cos_ptr + position * 16 + i)[None, :]
        sin = tl.load(sin_ptr + position * 16 + i)[None, :]
        mask = (head < heads)[:, None]
        first = x_ptr + (token * heads + head)[:, None] * 64 + i[None, :]
        a = tl.load(first, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(first + 16, mask=mask, other=0.0).to(tl.float32)
        tl.store(first, (a * cos - b * sin).to(tl.float16), mask=mask)
        tl.store(first + 16, (b * cos + a * sin).to(tl.float16), mask=mask)
        """, rope_partial, HALF, grid=(9,))
    yield kernel("rope_interleaved_backward", {"dy_ptr": fp32(10, 32), "dx_ptr": of(FP32, 10, 32), "base": 10000.0}, """
        t = tl.program_id(0)
        i = tl.arange(0, 16)
        angle = t * tl.exp(-tl.log(base) * (2 * i).to(tl.float32) / 32)
        cos, sin = tl.cos(angle), tl.sin(angle)
        dy = tl.load(dy_ptr + t * 32 + tl.arange(0, 32))
        a, b = tl.split(tl.reshape(dy, (16, 2)))
        dx = tl.interleave(a * cos + b * sin, b * cos - a * sin)
        tl.store(dx_ptr + t * 32 + tl.arange(0, 32), dx)
        """, rope_backward, COARSE, grid=(10,))
    yield kernel("rope_2d_patches", {"x_ptr": fp32(30, 32), "y_ptr": of(FP32, 30, 32), "width": 6}, """
        patch = tl.program_id(0)
        place = tl.where(tl.arange(0, 2) == 0, patch // width, patch % width).to(tl.float32)
        i = tl.arange(0, 8)
        frequency = tl.exp2(-i.to(tl.float32))
        angle = place[:, None] * frequency[None, :]
        at = patch * 32 + tl.arange(0, 2)[:, None] * 16 + i[None, :]
        a, b = tl.load(x_ptr + at), tl.load(x_ptr + at + 8)
        tl.store(y_ptr + at, a * tl.cos(angle) - b * tl.sin(angle))
        tl.store(y_ptr + at + 8, a * tl.sin(angle) + b * tl.cos(angle))
        """, rope_2d, COARSE, grid=(30,))


def activation_cases():
    yield kernel("silu_and_mul_packed", {"x_ptr": of(BF16, 12, 200, data=("normal", 2)), "y_ptr": of(BF16, 12, 100), "d": 100}, """
        row = tl.program_id(0).to(tl.int64)
        for start in range(0, d, BLOCK):
            i = start + tl.arange(0, BLOCK)
            gate = tl.load(x_ptr + row * 2 * d + i, mask=i < d).to(tl.float32)
            up = tl.load(x_ptr + row * 2 * d + d + i, mask=i < d).to(tl.float32)
            tl.store(y_ptr + row * d + i, (gate / (1 + tl.exp(-gate)) * up).to(tl.bfloat16), mask=i < d)
        """, lambda v: {"y_ptr": silu(v.x_ptr[:, :100]) * wide(v.x_ptr[:, 100:])}, BRAIN, grid=(12,), constexprs={"BLOCK": 64})
    yield kernel("swiglu_clamped_interleaved", {"x_ptr": fp32(8, 128, scale=6), "y_ptr": of(FP32, 8, 64), "alpha": 1.702, "limit": 7.0}, """
        row = tl.program_id(0)
        pair = tl.load(x_ptr + row * 128 + tl.arange(0, 128)).reshape(64, 2)
        gate, up = tl.split(pair)
        gate = tl.minimum(gate, limit)
        up = tl.clamp(up, -limit, limit)
        tl.store(y_ptr + row * 64 + tl.arange(0, 64), gate * tl.sigmoid(alpha * gate) * (up + 1))
        """, swiglu_clamped, COARSE, grid=(8,))
    yield kernel("gelu_tanh_gradient", {"x_ptr": fp32(1500), "dy_ptr": fp32(1500), "y_ptr": of(FP32, 1500), "dx_ptr": of(FP32, 1500), "n": 1500}, """
        i = tl.program_id(0) * 512 + tl.arange(0, 512)
        mask = i < n
        x = tl.load(x_ptr + i, mask=mask, other=0.0)
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        t = 1 - 2 / (tl.exp(2 * inner) + 1)
        tl.store(y_ptr + i, 0.5 * x * (1 + t), mask=mask)
        slope = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x)
        tl.store(dx_ptr + i, slope * tl.load(dy_ptr + i, mask=mask), mask=mask)
        """, gelu_tanh, COARSE, grid=(3,))
    yield kernel("mish", {"x_ptr": fp32(600, scale=5), "y_ptr": of(FP32, 600)}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        x = tl.load(x_ptr + i, mask=i < 600, other=0.0)
        e = tl.exp(tl.minimum(x, 20.0))
        w = e * (e + 2)
        tl.store(y_ptr + i, tl.where(x > 20, x, x * (w / (w + 2))), mask=i < 600)
        """, lambda v: {"y_ptr": wide(v.x_ptr) * np.tanh(np.log1p(np.exp(wide(v.x_ptr))))}, COARSE, grid=(3,))
    yield kernel("hard_swish_squared_relu", {"x_ptr": fp16(400, scale=3), "a_ptr": of(FP16, 400), "b_ptr": of(FP16, 400)}, """
        i = tl.arange(0, 512)
        mask = i < 400
        x = tl.load(x_ptr + i, mask=mask, other=0.0).to(tl.float32)
        tl.store(a_ptr + i, x * tl.clamp(x + 3.0, 0.0, 6.0) / 6.0, mask=mask)
        r = tl.maximum(x, 0.0)
        tl.store(b_ptr + i, r * r, mask=mask)
        """, lambda v: {"a_ptr": wide(v.x_ptr) * np.clip(wide(v.x_ptr) + 3, 0, 6) / 6, "b_ptr": np.maximum(wide(v.x_ptr), 0) ** 2}, HALF)
    yield kernel("prelu_backward", {"x_ptr": fp32(16, 6, 20), "dy_ptr": fp32(16, 6, 20), "a_ptr": fp32(6), "dx_ptr": of(FP32, 16, 6, 20),
                                    "da_ptr": of(FP32, 6)}, """
        channel = tl.program_id(0)
        a = tl.load(a_ptr + channel)
        da = tl.zeros((32,), dtype=tl.float32)
        i = tl.arange(0, 32)
        for image in range(16):
            at = (image * 6 + channel) * 20 + i
            x = tl.load(x_ptr + at, mask=i < 20, other=0.0)
            dy = tl.load(dy_ptr + at, mask=i < 20, other=0.0)
            tl.store(dx_ptr + at, tl.where(x > 0, dy, a * dy), mask=i < 20)
            da += tl.where(x > 0, 0.0, x * dy)
        tl.store(da_ptr + channel, tl.sum(da))
        """, prelu_backward, COARSE, grid=(6,))
    yield kernel("bias_dropout_residual", {"x_ptr": fp32(20, 70), "bias_ptr": fp32(70), "residual_ptr": fp32(20, 70), "y_ptr": of(FP32, 20, 70),
                                           "seed": 1234567, "p": 0.25, "n": 1400}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        mask = i < n
        x = tl.load(x_ptr + i, mask=mask) + tl.load(bias_ptr + i % 70, mask=mask)
        kept = tl.rand(seed, i) > p
        y = tl.where(kept, x / (1 - p), 0.0) + tl.load(residual_ptr + i, mask=mask)
        tl.store(y_ptr + i, y, mask=mask)
        """, bias_dropout, COARSE, grid=(6,))
    yield kernel("dropout_mask_bits", {"mask_ptr": of(I32, 32), "seed": 99, "p": 0.4}, """
        word = tl.program_id(0) * 8 + tl.arange(0, 8)
        bit = tl.arange(0, 32)
        kept = tl.rand(seed, word[:, None] * 32 + bit[None, :]) >= p
        tl.store(mask_ptr + word, tl.sum(kept.to(tl.int32) << bit[None, :], axis=1))
        """, lambda v: {"mask_ptr": np.packbits(uniform(v.seed, np.arange(1024)) >= np.float32(v.p), bitorder="little").view(np.int32)},
        EXACT, grid=(4,))


def optimizer_cases():
    moments = {"p_ptr": fp32(700), "g_ptr": fp32(700), "m_ptr": fp32(700), "n": 700}
    yield kernel("adamw_step", {**moments, "v_ptr": of(FP32, 700, data=("uniform", 0, 1)), "lr": 1e-2, "beta1": 0.9, "beta2": 0.99,
                                "eps": 1e-8, "decay": 0.1, "step": 7}, """
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = i < n
        p, g = tl.load(p_ptr + i, mask=mask), tl.load(g_ptr + i, mask=mask)
        m = beta1 * tl.load(m_ptr + i, mask=mask) + (1 - beta1) * g
        v = beta2 * tl.load(v_ptr + i, mask=mask) + (1 - beta2) * g * g
        correction1 = 1 - tl.exp(step * tl.log(beta1))
        correction2 = 1 - tl.exp(step * tl.log(beta2))
        update = m / correction1 / (tl.sqrt(v / correction2) + eps)
        tl.store(p_ptr + i, p * (1 - lr * decay) - lr * update, mask=mask)
        tl.store(m_ptr + i, m, mask=mask)
        tl.store(v_ptr + i, v, mask=mask)
        """, adamw, COARSE, grid=(3,), constexprs={"BLOCK": 256})
    yield kernel("lion_step", {**moments, "lr": 1e-3, "beta1": 0.9, "beta2": 0.98, "decay": 0.05}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        mask = i < n
        p, g, m = tl.load(p_ptr + i, mask=mask), tl.load(g_ptr + i, mask=mask), tl.load(m_ptr + i, mask=mask)
        mixed = m + (1 - beta1) * (g - m)
        sign = tl.where(mixed == 0, 0, tl.where(mixed > 0, 1, -1)).to(tl.float32)
        tl.store(p_ptr + i, p * (1 - lr * decay) - lr * sign, mask=mask)
        tl.store(m_ptr + i, beta2 * m + (1 - beta2) * g, mask=mask)
        """, lion, COARSE, grid=(3,))
    yield kernel("sgd_nesterov_step", {**moments, "lr": 0.05, "momentum": 0.9, "nesterov": 1}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        mask = i < n
        g = tl.load(g_ptr + i, mask=mask)
        m = tl.fma(tl.load(m_ptr + i, mask=mask), momentum, g)
        if nesterov:
            d = g + momentum * m
        else:
            d = m
        tl.store(m_ptr + i, m, mask=mask)
        tl.store(p_ptr + i, tl.load(p_ptr + i, mask=mask) - lr * d, mask=mask)
        """, sgd, COARSE, grid=(6,))
    yield kernel("rmsprop_master_weights", {"w_ptr": fp32(500), "half_ptr": of(BF16, 500), "g_ptr": of(BF16, 500, data=("normal", 1)),
                                            "s_ptr": of(FP32, 500, data=("uniform", 0.1, 1)), "lr": 0.01, "alpha": 0.95}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        mask = i < 500
        g = tl.load(g_ptr + i, mask=mask).to(tl.float32)
        s = alpha * tl.load(s_ptr + i, mask=mask) + (1 - alpha) * g * g
        w = tl.load(w_ptr + i, mask=mask) - lr * g / (tl.sqrt(s) + 1e-8)
        tl.store(s_ptr + i, s, mask=mask)
        tl.store(w_ptr + i, w, mask=mask)
        tl.store(half_ptr + i, w.to(tl.bfloat16), mask=mask)
        """, rmsprop, BRAIN, grid=(2,))
    yield kernel("adafactor_factors", {"g_ptr": fp32(24, 40), "row_ptr": of(FP32, 24, data=("uniform", 0, 1)), "column_ptr": of(FP32, 40, data=("uniform", 0, 1)), "decay": 0.8}, """
        i = tl.arange(0, 32)
        j = tl.arange(0, 64)
        mask = (i < 24)[:, None] & (j < 40)[None, :]
        g = tl.load(g_ptr + i[:, None] * 40 + j[None, :], mask=mask, other=0.0)
        square = g * g + tl.where(mask, 1e-30, 0.0)
        row = decay * tl.load(row_ptr + i, mask=i < 24, other=0.0) + (1 - decay) * tl.sum(square, 1) / 40
        column = decay * tl.load(column_ptr + j, mask=j < 40, other=0.0) + (1 - decay) * tl.sum(square, 0) / 24
        tl.store(row_ptr + i, row, mask=i < 24)
        tl.store(column_ptr + j, column, mask=j < 40)
        scale = tl.rsqrt(row / (tl.sum(row, 0) / 24))[:, None] * tl.rsqrt(column)[None, :]
        tl.store(g_ptr + i[:, None] * 40 + j[None, :], g * scale, mask=mask)
        """, adafactor, COARSE)
    yield kernel("lamb_trust_ratio", {"p_ptr": fp32(5, 90), "u_ptr": fp32(5, 90), "lr": 0.1}, """
        layer = tl.program_id(0)
        i = tl.arange(0, 128)
        at = layer * 90 + i
        p = tl.load(p_ptr + at, mask=i < 90, other=0.0)
        u = tl.load(u_ptr + at, mask=i < 90, other=0.0)
        wn, un = tl.sqrt(tl.sum(p * p, 0)), tl.sqrt(tl.sum(u * u, 0))
        ratio = tl.where((wn > 0) & (un > 0), wn / un, 1.0)
        tl.store(p_ptr + at, p - lr * tl.minimum(ratio, 10.0) * u, mask=i < 90)
        """, lamb, COARSE, grid=(5,))
    yield kernel("newton_schulz_orthogonalize", {"x_ptr": fp32(16, 32), "y_ptr": of(FP32, 16, 32)}, """
        i = tl.arange(0, 16)
        j = tl.arange(0, 32)
        x = tl.load(x_ptr + i[:, None] * 32 + j[None, :])
        x = x / (tl.sqrt(tl.sum(x * x)) + 1e-7)
        for _ in range(4):
            a = tl.dot(x, tl.trans(x), input_precision="ieee")
            b = -4.775 * a + 2.0315 * tl.dot(a, a, input_precision="ieee")
            x = 3.4445 * x + tl.dot(b, x, input_precision="ieee")
        tl.store(y_ptr + i[:, None] * 32 + j[None, :], x)
        """, newton_schulz, COARSE)
    yield kernel("clip_by_global_norm", {"g_ptr": fp32(900), "sum_ptr": of(FP32, 1, data=937.5), "limit": 10.0}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        norm = tl.sqrt(tl.load(sum_ptr))
        scale = tl.minimum(limit / (norm + 1e-6), 1.0)
        tl.store(g_ptr + i, tl.load(g_ptr + i, mask=i < 900) * scale, mask=i < 900)
        """, lambda v: {"g_ptr": wide(v.g_ptr) * min(v.limit / (np.sqrt(937.5) + 1e-6), 1)}, FINE, grid=(4,))


def cases():
    yield from rotary_cases()
    yield from activation_cases()
    yield from optimizer_cases()


def rope_partial(v):
    out = wide(v.x_ptr)
    cos, sin = wide(v.cos_ptr)[v.position_ptr][:, None], wide(v.sin_ptr)[v.position_ptr][:, None]
    a, b = out[..., :16].copy(), out[..., 16:32].copy()
    out[..., :16], out[..., 16:32] = a * cos - b * sin, b * cos + a * sin
    return {"x_ptr": out}


def rope_backward(v):
    angle = np.arange(10)[:, None] * v.base ** (-2 * np.arange(16) / 32)
    dy = wide(v.dy_ptr)
    dx = np.empty_like(dy)
    dx[:, ::2] = dy[:, ::2] * np.cos(angle) + dy[:, 1::2] * np.sin(angle)
    dx[:, 1::2] = dy[:, 1::2] * np.cos(angle) - dy[:, ::2] * np.sin(angle)
    return {"dx_ptr": dx}


def rope_2d(v):
    place = np.stack(np.divmod(np.arange(30), v.width), 1).astype(float)
    angle = place[:, :, None] * 2.0 ** -np.arange(8)
    x = wide(v.x_ptr).reshape(30, 2, 2, 8)
    a, b = x[:, :, 0], x[:, :, 1]
    y = np.stack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], 2)
    return {"y_ptr": y.reshape(30, 32)}


def swiglu_clamped(v):
    gate, up = np.minimum(wide(v.x_ptr)[:, ::2], v.limit), np.clip(wide(v.x_ptr)[:, 1::2], -v.limit, v.limit)
    return {"y_ptr": gate * sigmoid(v.alpha * gate) * (up + 1)}


def gelu_tanh(v):
    x, c = wide(v.x_ptr), np.sqrt(2 / np.pi)
    t = np.tanh(c * (x + 0.044715 * x ** 3))
    slope = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x)
    return {"y_ptr": 0.5 * x * (1 + t), "dx_ptr": slope * wide(v.dy_ptr)}


def prelu_backward(v):
    x, dy = wide(v.x_ptr), wide(v.dy_ptr)
    return {"dx_ptr": np.where(x > 0, dy, wide(v.a_ptr)[:, None] * dy), "da_ptr": np.where(x > 0, 0, x * dy).sum((0, 2))}


def bias_dropout(v):
    kept = (uniform(v.seed, np.arange(1400)) > np.float32(v.p)).reshape(20, 70)
    x = wide(v.x_ptr) + wide(v.bias_ptr)
    return {"y_ptr": np.where(kept, x / (1 - v.p), 0) + wide(v.residual_ptr)}


def adamw(v):
    g = wide(v.g_ptr)
    m, s = v.beta1 * wide(v.m_ptr) + (1 - v.beta1) * g, v.beta2 * wide(v.v_ptr) + (1 - v.beta2) * g * g
    update = m / (1 - v.beta1 ** v.step) / (np.sqrt(s / (1 - v.beta2 ** v.step)) + v.eps)
    return {"p_ptr": wide(v.p_ptr) * (1 - v.lr * v.decay) - v.lr * update, "m_ptr": m, "v_ptr": s}


def lion(v):
    g, m = wide(v.g_ptr), wide(v.m_ptr)
    return {"p_ptr": wide(v.p_ptr) * (1 - v.lr * v.decay) - v.lr * np.sign(v.beta1 * m + (1 - v.beta1) * g),
            "m_ptr": v.beta2 * m + (1 - v.beta2) * g}


def sgd(v):
    m = v.momentum * wide(v.m_ptr) + wide(v.g_ptr)
    return {"m_ptr": m, "p_ptr": wide(v.p_ptr) - v.lr * (wide(v.g_ptr) + v.momentum * m)}


def rmsprop(v):
    g = wide(v.g_ptr)
    s = v.alpha * wide(v.s_ptr) + (1 - v.alpha) * g * g
    w = wide(v.w_ptr) - v.lr * g / (np.sqrt(s) + 1e-8)
    return {"s_ptr": s, "w_ptr": w, "half_ptr": w}


def adafactor(v):
    g = wide(v.g_ptr)
    row = v.decay * wide(v.row_ptr) + (1 - v.decay) * (g * g).mean(1)
    column = v.decay * wide(v.column_ptr) + (1 - v.decay) * (g * g).mean(0)
    return {"row_ptr": row, "column_ptr": column,
            "g_ptr": g / np.sqrt(row / row.mean())[:, None] / np.sqrt(column)[None, :]}


def lamb(v):
    p, u = wide(v.p_ptr), wide(v.u_ptr)
    ratio = np.minimum(np.linalg.norm(p, axis=1) / np.linalg.norm(u, axis=1), 10)
    return {"p_ptr": p - v.lr * ratio[:, None] * u}


def newton_schulz(v):
    x = wide(v.x_ptr)
    x = x / (np.linalg.norm(x) + 1e-7)
    for _ in range(4):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return {"y_ptr": x}
