# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Convolutions, pools, images, stencils, and transforms."""

import numpy as np

from .kernel import BF16, COARSE, EXACT, FP16, FP32, HALF, I32, U8, Tolerance, fp16, fp32, i32, kernel, of, wide


def convolution_cases():
    yield kernel("conv1d_strided_dilated", {"x_ptr": fp32(2, 6, 50), "w_ptr": fp32(4, 6, 3), "b_ptr": fp32(4), "y_ptr": of(FP32, 2, 4, 24), "L": 50, "L_out": 24}, """
        batch, channel = tl.program_id(0), tl.program_id(1)
        t = tl.arange(0, 32)
        acc = tl.zeros((32,), tl.float32) + tl.load(b_ptr + channel)
        for c in range(6):
            for k in tl.static_range(3):
                at = t * 2 + k * 2 - 1
                inside = (at >= 0) & (at < L) & (t < L_out)
                x = tl.load(x_ptr + (batch * 6 + c) * L + at, mask=inside, other=0.0)
                acc += x * tl.load(w_ptr + (channel * 6 + c) * 3 + k)
        tl.store(y_ptr + (batch * 4 + channel) * L_out + t, acc, mask=t < L_out)
        """, conv1d, COARSE, grid=(2, 4))
    yield kernel("conv2d_direct_3x3", {"x_ptr": fp32(3, 12, 14), "w_ptr": fp32(5, 3, 3, 3), "y_ptr": of(FP32, 5, 12, 14), "H": 12, "W": 14}, """
        channel = tl.program_id(0)
        h = tl.program_id(1) * 4 + tl.arange(0, 4)
        w = tl.arange(0, 16)
        acc = tl.zeros((4, 16), tl.float32)
        for c in range(3):
            for i in range(3):
                for j in range(3):
                    y, x = h + i - 1, w + j - 1
                    inside = ((y >= 0) & (y < H))[:, None] & ((x >= 0) & (x < W))[None, :]
                    patch = tl.load(x_ptr + (c * H + y[:, None]) * W + x[None, :], mask=inside, other=0.0)
                    acc += patch * tl.load(w_ptr + ((channel * 3 + c) * 3 + i) * 3 + j)
        tl.store(y_ptr + (channel * H + h[:, None]) * W + w[None, :], acc, mask=(w < W)[None, :])
        """, conv2d, COARSE, grid=(5, 3))
    yield kernel("conv_transpose_2d", {"x_ptr": fp32(2, 5, 6), "w_ptr": fp32(2, 3, 2, 2), "y_ptr": of(FP32, 3, 10, 12)}, """
        channel = tl.program_id(0)
        at = tl.arange(0, 128)
        h, w = at // 12, at % 12
        acc = tl.zeros((128,), tl.float32)
        for c in range(2):
            x = tl.load(x_ptr + c * 30 + (h // 2) * 6 + w // 2, mask=at < 120, other=0.0)
            acc += x * tl.load(w_ptr + (c * 3 + channel) * 4 + (h % 2) * 2 + w % 2)
        tl.store(y_ptr + channel * 120 + at, acc, mask=at < 120)
        """, lambda v: {"y_ptr": np.einsum("chw,coij->ohiwj", wide(v.x_ptr), wide(v.w_ptr)).reshape(3, 10, 12)}, COARSE, grid=(3,))
    yield kernel("conv1d_causal_update", {"x_ptr": fp16(3, 40), "state_ptr": fp16(3, 40, 3), "w_ptr": fp16(40, 4), "y_ptr": of(FP16, 3, 40), "dim": 40}, """
        batch = tl.program_id(0)
        d = tl.arange(0, 64)
        mask = d < dim
        at = state_ptr + (batch * dim + d) * 3
        s0, s1, s2 = tl.load(at, mask=mask), tl.load(at + 1, mask=mask), tl.load(at + 2, mask=mask)
        x = tl.load(x_ptr + batch * dim + d, mask=mask)
        w = w_ptr + d * 4
        y = s0.to(tl.float32) * tl.load(w, mask=mask) + s1.to(tl.float32) * tl.load(w + 1, mask=mask)
        y += s2.to(tl.float32) * tl.load(w + 2, mask=mask) + x.to(tl.float32) * tl.load(w + 3, mask=mask)
        tl.store(y_ptr + batch * dim + d, (y * tl.sigmoid(y)).to(tl.float16), mask=mask)
        tl.store(at, s1, mask=mask)
        tl.store(at + 1, s2, mask=mask)
        tl.store(at + 2, x, mask=mask)
        """, conv_update, HALF, grid=(3,))


def image_cases():
    yield kernel("max_pool_with_index", {"x_ptr": fp32(4, 9, 11), "y_ptr": of(FP32, 4, 4, 5), "at_ptr": of(I32, 4, 4, 5)}, """
        plane = tl.program_id(0)
        o = tl.arange(0, 32)
        oh, ow = o // 5, o % 5
        best = tl.full((32,), -float("inf"), tl.float32)
        best_at = tl.zeros((32,), tl.int32)
        for i in tl.static_range(3):
            for j in tl.static_range(3):
                at = (oh * 2 + i) * 11 + ow * 2 + j
                x = tl.load(x_ptr + plane * 99 + at, mask=o < 20, other=-float("inf"))
                better = x > best
                best = tl.where(better, x, best)
                best_at = tl.where(better, at, best_at)
        tl.store(y_ptr + plane * 20 + o, best, mask=o < 20)
        tl.store(at_ptr + plane * 20 + o, best_at, mask=o < 20)
        """, max_pool, EXACT, grid=(4,))
    yield kernel("average_pool_padded", {"x_ptr": fp32(3, 8, 8), "y_ptr": of(FP32, 3, 4, 4)}, """
        plane, oh, ow = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        i, j = oh * 2 - 1 + tl.arange(0, 4), ow * 2 - 1 + tl.arange(0, 4)
        rows = (i >= 0) & (i < 8) & (tl.arange(0, 4) < 3)
        columns = (j >= 0) & (j < 8) & (tl.arange(0, 4) < 3)
        inside = rows[:, None] & columns[None, :]
        x = tl.load(x_ptr + plane * 64 + i[:, None] * 8 + j[None, :], mask=inside, other=0.0)
        count = tl.sum(tl.sum(inside.to(tl.float32), 1), 0)
        tl.store(y_ptr + (plane * 4 + oh) * 4 + ow, tl.sum(x) / count)
        """, average_pool, COARSE, grid=(3, 4, 4))
    yield kernel("bilinear_upsample", {"x_ptr": fp32(2, 5, 7), "y_ptr": of(FP32, 2, 12, 13), "scale_h": 5 / 12, "scale_w": 7 / 13}, """
        plane = tl.program_id(0)
        h, w = tl.arange(0, 16), tl.arange(0, 16)
        y = tl.maximum((h + 0.5) * scale_h - 0.5, 0.0)
        x = tl.maximum((w + 0.5) * scale_w - 0.5, 0.0)
        y0, x0 = y.to(tl.int32), x.to(tl.int32)
        fy, fx = (y - y0)[:, None], (x - x0)[None, :]
        y0, x0 = tl.minimum(y0, 4), tl.minimum(x0, 6)
        y1, x1 = tl.minimum(y0 + 1, 4), tl.minimum(x0 + 1, 6)
        base = x_ptr + plane * 35
        top = tl.load(base + y0[:, None] * 7 + x0[None, :]) * (1 - fx) + tl.load(base + y0[:, None] * 7 + x1[None, :]) * fx
        low = tl.load(base + y1[:, None] * 7 + x0[None, :]) * (1 - fx) + tl.load(base + y1[:, None] * 7 + x1[None, :]) * fx
        mask = (h < 12)[:, None] & (w < 13)[None, :]
        tl.store(y_ptr + plane * 156 + h[:, None] * 13 + w[None, :], top * (1 - fy) + low * fy, mask=mask)
        """, bilinear, COARSE, grid=(2,))
    yield kernel("sobel_magnitude", {"x_ptr": of(U8, 20, 30, data="bits"), "y_ptr": of(FP32, 20, 30)}, """
        h = tl.program_id(0)
        w = tl.arange(0, 32)
        up, down = tl.maximum(h - 1, 0), tl.minimum(h + 1, 19)
        left, right = tl.maximum(w - 1, 0), tl.minimum(w + 1, 29)
        mask = w < 30
        a, b, c = pixel(x_ptr, up, left, mask), pixel(x_ptr, up, w, mask), pixel(x_ptr, up, right, mask)
        d, f = pixel(x_ptr, h, left, mask), pixel(x_ptr, h, right, mask)
        g, i, k = pixel(x_ptr, down, left, mask), pixel(x_ptr, down, w, mask), pixel(x_ptr, down, right, mask)
        dx = c + 2 * f + k - a - 2 * d - g
        dy = g + 2 * i + k - a - 2 * b - c
        tl.store(y_ptr + h * 30 + w, tl.sqrt((dx * dx + dy * dy).to(tl.float32)), mask=mask)
        """, sobel, COARSE, grid=(20,), helpers="""
        @triton.jit
        def pixel(x_ptr, h, w, mask):
            return tl.load(x_ptr + h * 30 + w, mask=mask, other=0).to(tl.int32)

        """)
    yield kernel("gaussian_blur_rows", {"x_ptr": fp32(6, 100), "k_ptr": of(FP32, 7, data=np.exp(-np.arange(-3, 4) ** 2 / 4.0)), "y_ptr": of(FP32, 6, 100)}, """
        row = tl.program_id(0)
        i = tl.program_id(1) * 64 + tl.arange(0, 64)
        acc = tl.zeros((64,), tl.float32)
        total = 0.0
        for j in range(-3, 4):
            k = tl.load(k_ptr + j + 3)
            at = tl.abs(i + j)
            at = tl.where(at > 99, 198 - at, at)
            acc += k * tl.load(x_ptr + row * 100 + at, mask=i < 100, other=0.0)
            total += k
        tl.store(y_ptr + row * 100 + i, acc / total, mask=i < 100)
        """, blur, COARSE, grid=(6, 2))
    yield kernel("rgb_to_ycbcr_bytes", {"rgb_ptr": of(U8, 200, 3, data="bits"), "y_ptr": of(U8, 200), "cb_ptr": of(U8, 200), "cr_ptr": of(U8, 200)}, """
        i = tl.arange(0, 256)
        mask = i < 200
        r = tl.load(rgb_ptr + i * 3, mask=mask, other=0).to(tl.int32)
        g = tl.load(rgb_ptr + i * 3 + 1, mask=mask, other=0).to(tl.int32)
        b = tl.load(rgb_ptr + i * 3 + 2, mask=mask, other=0).to(tl.int32)
        tl.store(y_ptr + i, (19595 * r + 38470 * g + 7471 * b + 32768) >> 16, mask=mask)
        tl.store(cb_ptr + i, tl.clamp(((-11059 * r - 21709 * g + 32768 * b + 32768) >> 16).to(tl.float32) + 128, 0.0, 255.0).to(tl.uint8), mask=mask)
        cr = ((32768 * r - 27439 * g - 5329 * b + 32768) >> 16) + 128
        tl.store(cr_ptr + i, tl.minimum(tl.maximum(cr, 0), 255).to(tl.uint8), mask=mask)
        """, ycbcr, EXACT)
    yield kernel("median_3x3_network", {"x_ptr": fp32(16, 16), "y_ptr": of(FP32, 14, 14)}, """
        h = tl.arange(0, 16)[:, None]
        w = tl.arange(0, 16)[None, :]
        mask = (h < 14) & (w < 14)
        at = x_ptr + h * 16 + w
        a0, a1, a2 = in_order(tl.load(at, mask=mask), tl.load(at + 1, mask=mask), tl.load(at + 2, mask=mask))
        b0, b1, b2 = in_order(tl.load(at + 16, mask=mask), tl.load(at + 17, mask=mask), tl.load(at + 18, mask=mask))
        c0, c1, c2 = in_order(tl.load(at + 32, mask=mask), tl.load(at + 33, mask=mask), tl.load(at + 34, mask=mask))
        low = tl.maximum(tl.maximum(a0, b0), c0)
        _, middle, _ = in_order(a1, b1, c1)
        high = tl.minimum(tl.minimum(a2, b2), c2)
        _, median, _ = in_order(low, middle, high)
        tl.store(y_ptr + h * 14 + w, median, mask=mask)
        """, lambda v: {"y_ptr": np.median(np.lib.stride_tricks.sliding_window_view(v.x_ptr, (3, 3)), axis=(2, 3))}, EXACT, helpers="""
        @triton.jit
        def in_order(a, b, c):
            low, high = tl.minimum(a, b), tl.maximum(a, b)
            return tl.minimum(low, c), tl.maximum(low, tl.minimum(high, c)), tl.maximum(high, c)

        """)
    yield kernel("pixel_shuffle", {"x_ptr": of(BF16, 8, 5, 6, data=("normal", 1)), "y_ptr": of(BF16, 2, 10, 12)}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        w, h, c = i % 12, (i // 12) % 10, i // 120
        source = ((c * 4 + (h % 2) * 2 + w % 2) * 5 + h // 2) * 6 + w // 2
        tl.store(y_ptr + i, tl.load(x_ptr + source, mask=i < 240), mask=i < 240)
        """, lambda v: {"y_ptr": v.x_ptr.reshape(2, 2, 2, 5, 6).transpose(0, 3, 1, 4, 2).reshape(2, 10, 12)}, EXACT, grid=(2,))


def grid_cases():
    yield kernel("game_of_life_step", {"x_ptr": of(U8, 32, 32, data=np.random.default_rng(4).integers(0, 2, (32, 32))), "y_ptr": of(U8, 32, 32)}, """
        h = (tl.program_id(0) * 8 + tl.arange(0, 8))[:, None]
        w = tl.arange(0, 32)[None, :]
        count = tl.zeros((8, 32), tl.int32)
        for i in tl.static_range(-1, 2):
            for j in tl.static_range(-1, 2):
                if i != 0 or j != 0:
                    count += tl.load(x_ptr + ((h + i + 32) % 32) * 32 + (w + j + 32) % 32).to(tl.int32)
        alive = tl.load(x_ptr + h * 32 + w) != 0
        tl.store(y_ptr + h * 32 + w, ((count == 3) | (alive & (count == 2))).to(tl.uint8))
        """, life, EXACT, grid=(4,))
    yield kernel("heat_2d_step", {"u_ptr": fp32(30, 33), "v_ptr": of(FP32, 30, 33), "k": 0.2}, """
        h = tl.program_id(0)
        w = tl.arange(0, 64)
        inside = (w > 0) & (w < 32) & (h > 0) & (h < 29)
        at = u_ptr + h * 33 + w
        u = tl.load(at, mask=w < 33)
        around = tl.load(at - 1, mask=inside, other=0.0) + tl.load(at + 1, mask=inside, other=0.0)
        around += tl.load(at - 33, mask=inside, other=0.0) + tl.load(at + 33, mask=inside, other=0.0)
        tl.store(v_ptr + h * 33 + w, tl.where(inside, u + k * (around - 4 * u), u), mask=w < 33)
        """, heat, COARSE, grid=(30,))
    yield kernel("stencil_7_point_3d", {"x_ptr": fp32(6, 8, 16), "y_ptr": of(FP32, 6, 8, 16, data=0.0)}, """
        z, y = tl.program_id(0) + 1, tl.program_id(1) + 1
        i = tl.arange(0, 16)
        inside = (i > 0) & (i < 15)
        at = x_ptr + (z * 8 + y) * 16 + i
        s = -6.0 * tl.load(at) + tl.load(at - 16) + tl.load(at + 16) + tl.load(at - 128) + tl.load(at + 128)
        s += tl.load(at - 1, mask=inside, other=0.0) + tl.load(at + 1, mask=inside, other=0.0)
        tl.store(y_ptr + (z * 8 + y) * 16 + i, s, mask=inside)
        """, stencil_3d, COARSE, grid=(4, 6))
    yield kernel("fft_radix2_in_registers", {"re_ptr": fp32(3, 64), "im_ptr": fp32(3, 64), "out_re_ptr": of(FP32, 3, 64), "out_im_ptr": of(FP32, 3, 64)}, """
        row = tl.program_id(0)
        i = tl.arange(0, 64)
        r = tl.zeros((64,), tl.int32)
        for bit in tl.static_range(6):
            r |= ((i >> bit) & 1) << (5 - bit)
        re, im = tl.load(re_ptr + row * 64 + r), tl.load(im_ptr + row * 64 + r)
        for stage in tl.static_range(6):
            half = 1 << stage
            low, high = i & ~half, i | half
            angle = -3.141592653589793 * (i & (half - 1)).to(tl.float32) / half
            c, s = tl.cos(angle), tl.sin(angle)
            hre, him = tl.gather(re, high, 0), tl.gather(im, high, 0)
            tre, tim = hre * c - him * s, hre * s + him * c
            sign = tl.where((i & half) == 0, 1.0, -1.0)
            re, im = tl.gather(re, low, 0) + sign * tre, tl.gather(im, low, 0) + sign * tim
        tl.store(out_re_ptr + row * 64 + i, re)
        tl.store(out_im_ptr + row * 64 + i, im)
        """, fft, COARSE, grid=(3,))
    yield kernel("hadamard_by_reshapes", {"x_ptr": fp32(5, 64), "y_ptr": of(FP32, 5, 64)}, """
        row = tl.program_id(0)
        x = tl.load(x_ptr + row * 64 + tl.arange(0, 64))
        for _ in tl.static_range(6):
            a, b = tl.split(tl.reshape(x, (32, 2)))
            x = tl.reshape(tl.trans(tl.join(a + b, a - b)), (64,))
        tl.store(y_ptr + row * 64 + tl.arange(0, 64), x * 0.125)
        """, hadamard, COARSE, grid=(5,))
    yield kernel("dct_8x8_blocks", {"x_ptr": of(U8, 16, 16, data="bits"), "basis_ptr": of(FP32, 8, 8, data=np.sqrt(np.where(np.arange(8) == 0, 1, 2) / 8)[:, None] * np.cos(np.pi * (2 * np.arange(8) + 1) * np.arange(8)[:, None] / 16)),
                                    "y_ptr": of(FP32, 16, 16)}, """
        i = tl.arange(0, 8)
        at = (tl.program_id(0) * 8 + i)[:, None] * 16 + tl.program_id(1) * 8 + i[None, :]
        x = tl.load(x_ptr + at).to(tl.float32) - 128.0
        basis = tl.load(basis_ptr + i[:, None] * 8 + i[None, :])
        half = tl.sum(basis[:, :, None] * x[None, :, :], 1)
        tl.store(y_ptr + at, tl.sum(half[:, None, :] * basis[None, :, :], 2))
        """, dct, COARSE, grid=(2, 2))
    yield kernel("mandelbrot_escape", {"n_ptr": of(I32, 24, 32), "limit": 40}, """
        h = tl.program_id(0)
        w = tl.arange(0, 32)
        cr = -2.0 + w.to(tl.float32) * 0.09375
        ci = -1.5 + h * 0.125 + tl.zeros((32,), tl.float32)
        zr, zi = tl.zeros_like(cr), tl.zeros_like(cr)
        n = tl.zeros((32,), tl.int32)
        step = 0
        while step < limit and tl.max((zr * zr + zi * zi <= 4.0).to(tl.int32), 0) > 0:
            inside = zr * zr + zi * zi <= 4.0
            n += inside.to(tl.int32)
            nr = zr * zr - zi * zi + cr
            zi = tl.where(inside, 2.0 * zr * zi + ci, zi)
            zr = tl.where(inside, nr, zr)
            step += 1
        tl.store(n_ptr + h * 32 + w, n)
        """, mandelbrot, Tolerance(absolute=2), grid=(24,))


def cases():
    yield from convolution_cases()
    yield from image_cases()
    yield from grid_cases()


def conv1d(v):
    x = np.pad(wide(v.x_ptr), ((0, 0), (0, 0), (1, 5)))
    out = sum(np.einsum("bcl,oc->bol", x[:, :, 2 * k:2 * k + 48:2], wide(v.w_ptr)[:, :, k]) for k in range(3))
    return {"y_ptr": out + wide(v.b_ptr)[:, None]}


def conv2d(v):
    x = np.pad(wide(v.x_ptr), ((0, 0), (1, 1), (1, 1)))
    return {"y_ptr": sum(np.einsum("chw,oc->ohw", x[:, i:i + 12, j:j + 14], wide(v.w_ptr)[:, :, i, j])
                         for i in range(3) for j in range(3))}


def conv_update(v):
    window = np.concatenate([wide(v.state_ptr), wide(v.x_ptr)[..., None]], 2)
    y = (window * wide(v.w_ptr)).sum(2)
    return {"y_ptr": y / (1 + np.exp(-y)), "state_ptr": window[..., 1:]}


def max_pool(v):
    windows = np.lib.stride_tricks.sliding_window_view(v.x_ptr, (3, 3), (1, 2))[:, ::2, ::2].reshape(4, 4, 5, 9)
    best = windows.argmax(3)
    oh, ow = np.arange(4)[:, None], np.arange(5)[None, :]
    return {"y_ptr": windows.max(3), "at_ptr": (2 * oh + best // 3) * 11 + 2 * ow + best % 3}


def average_pool(v):
    out = np.empty((3, 4, 4))
    for i in range(4):
        for j in range(4):
            out[:, i, j] = wide(v.x_ptr)[:, max(2 * i - 1, 0):2 * i + 2, max(2 * j - 1, 0):2 * j + 2].mean((1, 2))
    return {"y_ptr": out}


def bilinear(v):
    def matrix(size, target):
        at = np.maximum((np.arange(target) + 0.5) * size / target - 0.5, 0)
        low = np.minimum(at.astype(int), size - 1)
        out = np.zeros((target, size))
        np.add.at(out, (np.arange(target), low), 1 - (at - low))
        np.add.at(out, (np.arange(target), np.minimum(low + 1, size - 1)), at - low)
        return out
    return {"y_ptr": matrix(5, 12) @ wide(v.x_ptr) @ matrix(7, 13).T}


def sobel(v):
    x = np.pad(wide(v.x_ptr), 1, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3))
    kernel_x = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    return {"y_ptr": np.hypot((windows * kernel_x).sum((2, 3)), (windows * kernel_x.T).sum((2, 3)))}


def blur(v):
    k = wide(v.k_ptr)
    x = np.pad(wide(v.x_ptr), ((0, 0), (3, 3)), mode="reflect")
    return {"y_ptr": sum(k[j] * x[:, j:j + 100] for j in range(7)) / k.sum()}


def ycbcr(v):
    r, g, b = v.rgb_ptr.astype(np.int64).T
    return {"y_ptr": (19595 * r + 38470 * g + 7471 * b + 32768) >> 16,
            "cb_ptr": np.clip(((-11059 * r - 21709 * g + 32768 * b + 32768) >> 16) + 128, 0, 255),
            "cr_ptr": np.clip(((32768 * r - 27439 * g - 5329 * b + 32768) >> 16) + 128, 0, 255)}


def life(v):
    x = v.x_ptr.astype(int)
    count = sum(np.roll(x, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - x
    return {"y_ptr": (count == 3) | ((x == 1) & (count == 2))}


def heat(v):
    u = wide(v.u_ptr)
    out = u.copy()
    out[1:-1, 1:-1] += v.k * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return {"v_ptr": out}


def stencil_3d(v):
    x, out = wide(v.x_ptr), np.zeros((6, 8, 16))
    c = x[1:-1, 1:-1, 1:-1]
    out[1:-1, 1:-1, 1:-1] = (x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1]
                             + x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:] - 6 * c)
    return {"y_ptr": out}


def fft(v):
    out = np.fft.fft(wide(v.re_ptr) + 1j * wide(v.im_ptr))
    return {"out_re_ptr": out.real, "out_im_ptr": out.imag}


def hadamard(v):
    matrix = np.ones((1, 1))
    for _ in range(6):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return {"y_ptr": wide(v.x_ptr) @ matrix / 8}


def dct(v):
    basis, x = wide(v.basis_ptr), wide(v.x_ptr) - 128
    out = np.empty((16, 16))
    for i in (0, 8):
        for j in (0, 8):
            out[i:i + 8, j:j + 8] = basis @ x[i:i + 8, j:j + 8] @ basis.T
    return {"y_ptr": out}


def mandelbrot(v):
    c = (-2 + np.arange(32) * 0.09375)[None, :] + 1j * (-1.5 + np.arange(24) * 0.125)[:, None]
    z, n = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(v.limit):
        inside = np.abs(z) ** 2 <= 4
        n += inside
        z = np.where(inside, z * z + c, z)
    return {"n_ptr": n}
