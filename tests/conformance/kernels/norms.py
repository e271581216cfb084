# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Normalizations, forward and backward."""

import numpy as np

from .kernel import BF16, BRAIN, COARSE, FP16, FP32, HALF, fp16, fp32, kernel, of, silu, wide


def standardized(x, axis, eps):
    return (x - x.mean(axis=axis, keepdims=True)) / np.sqrt(x.var(axis=axis, keepdims=True) + eps)


def cases():
    yield kernel("rms_norm_gated", {"x_ptr": fp16(24, 192), "gate_ptr": fp16(24, 192), "w_ptr": fp16(192),
                                    "y_ptr": of(FP16, 24, 192), "n_cols": 192, "eps": 1e-5}, """
        row, group = tl.program_id(0), tl.program_id(1)
        columns = group * GROUP + tl.arange(0, GROUP)
        x = tl.load(x_ptr + row * n_cols + columns).to(tl.float32)
        gate = tl.load(gate_ptr + row * n_cols + columns).to(tl.float32)
        x *= gate * tl.sigmoid(gate)
        rstd = 1 / tl.sqrt(tl.sum(x * x, axis=0) / GROUP + eps)
        w = tl.load(w_ptr + columns).to(tl.float32)
        tl.store(y_ptr + row * n_cols + columns, (x * rstd * w).to(tl.float16))
        """, rms_norm_gated, HALF, grid=(24, 3), constexprs={"GROUP": 64})

    yield kernel("layer_norm_looped", {"x_ptr": fp32(9, 1000), "mean_ptr": of(FP32, 9), "rstd_ptr": of(FP32, 9),
                                       "y_ptr": of(FP32, 9, 1000), "stride": 1000, "n_cols": 1000, "eps": 1e-6}, """
        row = tl.program_id(0)
        x_ptr += row * stride
        y_ptr += row * stride
        total = tl.zeros((BLOCK,), dtype=tl.float32)
        for start in range(0, n_cols, BLOCK):
            columns = start + tl.arange(0, BLOCK)
            total += tl.load(x_ptr + columns, mask=columns < n_cols, other=0.0)
        mean = tl.sum(total, axis=0) / n_cols
        squares = tl.zeros((BLOCK,), dtype=tl.float32)
        for start in range(0, n_cols, BLOCK):
            columns = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + columns, mask=columns < n_cols, other=0.0)
            centered = tl.where(columns < n_cols, x - mean, 0.0)
            squares += centered * centered
        rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / n_cols + eps)
        tl.store(mean_ptr + row, mean)
        tl.store(rstd_ptr + row, rstd)
        for start in range(0, n_cols, BLOCK):
            columns = start + tl.arange(0, BLOCK)
            mask = columns < n_cols
            x = tl.load(x_ptr + columns, mask=mask, other=0.0)
            tl.store(y_ptr + columns, (x - mean) * rstd, mask=mask)
        """, lambda v: {"y_ptr": standardized(wide(v.x_ptr), 1, v.eps), "mean_ptr": wide(v.x_ptr).mean(1),
                        "rstd_ptr": 1 / np.sqrt(wide(v.x_ptr).var(1) + v.eps)}, grid=(9,), constexprs={"BLOCK": 256})

    yield kernel("group_norm_channels", {"x_ptr": fp32(2, 12, 5, 7), "w_ptr": fp32(12), "b_ptr": fp32(12),
                                         "y_ptr": of(FP32, 2, 12, 5, 7), "C": 12, "HW": 35, "eps": 1e-5}, """
        image, group = tl.program_id(0), tl.program_id(1)
        channel = tl.arange(0, CHANNELS)[:, None]
        pixel = tl.arange(0, PIXELS)[None, :]
        mask = pixel < HW
        at = (image * C + group * CHANNELS + channel) * HW + pixel
        x = tl.load(x_ptr + at, mask=mask, other=0.0)
        count = CHANNELS * HW
        mean = tl.sum(x) / count
        centered = tl.where(mask, x - mean, 0.0)
        rstd = tl.rsqrt(tl.sum(centered * centered) / count + eps)
        w = tl.load(w_ptr + group * CHANNELS + channel)
        b = tl.load(b_ptr + group * CHANNELS + channel)
        tl.store(y_ptr + at, centered * rstd * w + b, mask=mask)
        """, group_norm_channels, grid=(2, 3), constexprs={"CHANNELS": 4, "PIXELS": 64})

    yield kernel("instance_norm_relu", {"x_ptr": fp32(6, 300), "y_ptr": of(FP32, 6, 300), "n": 300, "eps": 1e-3}, """
        row = tl.program_id(0)
        i = tl.arange(0, 512)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
        mean = tl.sum(x, 0) / n
        var = tl.sum(x * x, 0) / n - mean * mean
        y = (x - mean) / tl.sqrt(var + eps)
        tl.store(y_ptr + row * n + i, tl.maximum(y, 0.0), mask=i < n)
        """, lambda v: {"y_ptr": np.maximum(standardized(wide(v.x_ptr), 1, v.eps), 0)}, COARSE, grid=(6,))

    yield kernel("l2_normalize", {"x_ptr": of(BF16, 33, 96, data=("normal", 3)), "y_ptr": of(BF16, 33, 96), "n_rows": 33,
                                  "n_cols": 96}, """
        rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
        columns = tl.arange(0, 128)
        mask = (rows < n_rows)[:, None] & (columns < n_cols)[None, :]
        at = rows[:, None] * n_cols + columns[None, :]
        x = tl.load(x_ptr + at, mask=mask, other=0.0).to(tl.float32)
        norm = tl.sqrt(tl.sum(x * x, axis=1))
        y = x / tl.maximum(norm, 1e-12)[:, None]
        tl.store(y_ptr + at, y.to(tl.bfloat16), mask=mask)
        """, lambda v: {"y_ptr": wide(v.x_ptr) / np.linalg.norm(wide(v.x_ptr), axis=1, keepdims=True)}, BRAIN, grid=(5,),
        constexprs={"ROWS": 8})

    yield kernel("batch_norm_inference", {"x_ptr": fp32(3, 8, 50), "mean_ptr": fp32(8), "var_ptr": of(FP32, 8, data=("uniform", 0.5, 2)),
                                          "gamma_ptr": fp32(8), "beta_ptr": fp32(8), "y_ptr": of(FP32, 3, 8, 50),
                                          "numel": 1200, "C": 8, "S": 50}, """
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = i < numel
        channel = (i // S) % C
        scale = tl.load(gamma_ptr + channel, mask=mask) * tl.rsqrt(tl.load(var_ptr + channel, mask=mask, other=1.0) + 1e-5)
        shift = tl.load(beta_ptr + channel, mask=mask) - tl.load(mean_ptr + channel, mask=mask) * scale
        x = tl.load(x_ptr + i, mask=mask)
        tl.store(y_ptr + i, x * scale + shift, mask=mask)
        """, lambda v: {"y_ptr": (wide(v.x_ptr) - wide(v.mean_ptr)[:, None]) / np.sqrt(wide(v.var_ptr)[:, None] + 1e-5)
                        * wide(v.gamma_ptr)[:, None] + wide(v.beta_ptr)[:, None]}, grid=(5,), constexprs={"BLOCK": 256})

    yield kernel("qk_norm_in_place", {"qkv_ptr": fp16(10, 6, 64), "w_ptr": fp16(64), "heads": 6, "normed": 4, "eps": 1e-6}, """
        token = tl.program_id(0)
        d = tl.arange(0, 64)
        w = tl.load(w_ptr + d).to(tl.float32)
        for head in range(normed):
            at = qkv_ptr + (token * heads + head) * 64 + d
            x = tl.load(at).to(tl.float32)
            x = x * tl.rsqrt(tl.sum(x * x, axis=0) / 64 + eps)
            tl.store(at, (x * w).to(tl.float16))
        """, qk_norm_in_place, HALF, grid=(10,))

    yield kernel("weight_norm", {"v_ptr": fp32(20, 77), "g_ptr": fp32(20), "w_ptr": of(FP32, 20, 77), "n": 77}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        v = tl.load(v_ptr + row * n + i, mask=i < n, other=0.0)
        scale = tl.load(g_ptr + row) / tl.sqrt(tl.sum(v * v))
        tl.store(w_ptr + row * n + i, v * scale, mask=i < n)
        """, lambda v: {"w_ptr": wide(v.v_ptr) * (wide(v.g_ptr) / np.linalg.norm(wide(v.v_ptr), axis=1))[:, None]}, grid=(20,))

    yield kernel("rms_norm_backward_atomic", {"x_ptr": fp32(16, 100), "dy_ptr": fp32(16, 100), "w_ptr": fp32(100),
                                              "dx_ptr": of(FP32, 16, 100), "dw_ptr": of(FP32, 100, data=0.0), "n": 100, "eps": 1e-6}, """
        row = tl.program_id(0)
        i = tl.arange(0, 128)
        mask = i < n
        x = tl.load(x_ptr + row * n + i, mask=mask, other=0.0)
        dy = tl.load(dy_ptr + row * n + i, mask=mask, other=0.0)
        w = tl.load(w_ptr + i, mask=mask, other=0.0)
        rstd = tl.rsqrt(tl.sum(x * x, 0) / n + eps)
        xhat = x * rstd
        dxhat = dy * w
        dx = (dxhat - xhat * (tl.sum(dxhat * xhat, 0) / n)) * rstd
        tl.store(dx_ptr + row * n + i, dx, mask=mask)
        tl.atomic_add(dw_ptr + i, dy * xhat, mask=mask)
        """, rms_norm_backward_atomic, COARSE, grid=(16,))

    yield kernel("welford_rows", {"x_ptr": fp32(7, 512), "mean_ptr": of(FP32, 7), "var_ptr": of(FP32, 7)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 512)
        x = tl.load(x_ptr + row * 512 + i)
        mean, m2, count = tl.reduce((x, tl.zeros_like(x), tl.full((512,), 1.0, tl.float32)), 0, join_moments)
        tl.store(mean_ptr + row, mean)
        tl.store(var_ptr + row, m2 / (count - 1))
        """, lambda v: {"mean_ptr": wide(v.x_ptr).mean(1), "var_ptr": wide(v.x_ptr).var(1, ddof=1)}, COARSE, grid=(7,), helpers="""
        @triton.jit
        def join_moments(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
            delta = mean_b - mean_a
            n = n_a + n_b
            share = tl.where(n == 0.0, 0.0, n_b / n)
            return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n

        """)


def rms_norm_gated(v):
    x = (wide(v.x_ptr) * silu(v.gate_ptr)).reshape(24, 3, 64)
    y = x / np.sqrt((x * x).mean(2, keepdims=True) + v.eps)
    return {"y_ptr": y.reshape(24, 192) * wide(v.w_ptr)}


def group_norm_channels(v):
    y = standardized(wide(v.x_ptr).reshape(2, 3, -1), 2, v.eps).reshape(2, 12, 5, 7)
    return {"y_ptr": y * wide(v.w_ptr)[:, None, None] + wide(v.b_ptr)[:, None, None]}


def qk_norm_in_place(v):
    out = wide(v.qkv_ptr)
    x = out[:, :4]
    out[:, :4] = x / np.sqrt((x * x).mean(2, keepdims=True) + v.eps) * wide(v.w_ptr)
    return {"qkv_ptr": out}


def rms_norm_backward_atomic(v):
    x, dy, w = wide(v.x_ptr), wide(v.dy_ptr), wide(v.w_ptr)
    rstd = 1 / np.sqrt((x * x).mean(1, keepdims=True) + v.eps)
    xhat, dxhat = x * rstd, dy * w
    return {"dx_ptr": (dxhat - xhat * (dxhat * xhat).mean(1, keepdims=True)) * rstd, "dw_ptr": (dy * xhat).sum(0)}
