# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Products of matrices, and numbers of few bits."""

import numpy as np

from suite.convert import settle

from .kernel import (BF16, BRAIN, COARSE, EXACT, FP16, FP32, FP8E4NV, HALF, I16, I32, I8, U8, Tolerance, cdiv, fp16, fp32, i32, kernel, of,
                     sigmoid, wide)

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def product_cases():
    yield kernel("matmul_split_k_atomic", {"a_ptr": fp16(40, 128), "b_ptr": fp16(128, 24), "c_ptr": of(FP32, 40, 24, data=0.0), "M": 40, "N": 24, "K": 128}, """
        m = tl.program_id(0) * 16 + tl.arange(0, 16)
        n = tl.program_id(1) * 16 + tl.arange(0, 16)
        k = tl.program_id(2) * 32 + tl.arange(0, 32)
        a = a_ptr + m[:, None] * K + k[None, :]
        b = b_ptr + k[:, None] * N + n[None, :]
        acc = tl.zeros((16, 16), dtype=tl.float32)
        for start in range(0, K, 32 * SPLIT):
            acc = tl.dot(tl.load(a, mask=(m < M)[:, None], other=0.0), tl.load(b, mask=(n < N)[None, :], other=0.0), acc)
            a += 32 * SPLIT
            b += 32 * SPLIT * N
        tl.atomic_add(c_ptr + m[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])
        """, lambda v: {"c_ptr": wide(v.a_ptr) @ wide(v.b_ptr)}, COARSE, grid=(3, 2, 2), constexprs={"SPLIT": 2})
    yield kernel("matmul_batched_shared_b", {"a_ptr": fp32(3, 20, 48), "b_ptr": fp32(48, 33), "c_ptr": of(FP32, 3, 20, 33), "stride_ab": 960, "stride_cb": 660}, """
        batch = tl.program_id(1)
        m = tl.arange(0, 32)
        n = tl.program_id(0) * 16 + tl.arange(0, 16)
        acc = tl.zeros((32, 16), tl.float32)
        for start in range(0, 48, 16):
            k = start + tl.arange(0, 16)
            a = tl.load(a_ptr + batch * stride_ab + m[:, None] * 48 + k[None, :], mask=(m < 20)[:, None], other=0.0)
            b = tl.load(b_ptr + k[:, None] * 33 + n[None, :], mask=(n < 33)[None, :], other=0.0)
            acc += tl.dot(a, b, input_precision="ieee")
        tl.store(c_ptr + batch * stride_cb + m[:, None] * 33 + n[None, :], acc, mask=(m < 20)[:, None] & (n < 33)[None, :])
        """, lambda v: {"c_ptr": wide(v.a_ptr) @ wide(v.b_ptr)}, COARSE, grid=(3, 3))
    yield kernel("matmul_grouped_experts", {"a_ptr": fp16(50, 32), "b_ptr": fp16(4, 32, 16), "starts_ptr": of(I32, 5, data=[0, 17, 17, 49, 50]), "c_ptr": of(FP32, 50, 16)}, """
        worker = tl.program_id(0)
        begin = 0
        for expert in range(4):
            first, last = tl.load(starts_ptr + expert), tl.load(starts_ptr + expert + 1)
            count = tl.cdiv(last - first, 16)
            while worker >= begin and worker < begin + count:
                m = first + (worker - begin) * 16 + tl.arange(0, 16)
                k = tl.arange(0, 32)
                n = tl.arange(0, 16)
                a = tl.load(a_ptr + m[:, None] * 32 + k[None, :], mask=(m < last)[:, None], other=0.0)
                b = tl.load(b_ptr + expert * 512 + k[:, None] * 16 + n[None, :])
                tl.store(c_ptr + m[:, None] * 16 + n[None, :], tl.dot(a, b), mask=(m < last)[:, None])
                worker += WORKERS
            begin += count
        """, matmul_grouped, COARSE, grid=(2,), constexprs={"WORKERS": 2})
    yield kernel("matmul_persistent_swizzled", {"a_ptr": fp16(70, 64), "b_ptr": fp16(64, 50), "bias_ptr": fp32(50), "c_ptr": of(FP16, 70, 50), "M": 70, "N": 50}, """
        tiles_m, tiles_n = tl.cdiv(M, 16), tl.cdiv(N, 16)
        for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0)):
            band = tile // (GROUP * tiles_n)
            height = min(tiles_m - band * GROUP, GROUP)
            m = (band * GROUP + tile % height) * 16 + tl.arange(0, 16)
            n = (tile % (GROUP * tiles_n)) // height * 16 + tl.arange(0, 16)
            acc = tl.zeros((16, 16), tl.float32)
            for start in range(0, 64, 32):
                k = start + tl.arange(0, 32)
                a = tl.load(a_ptr + (m % M)[:, None] * 64 + k[None, :])
                b = tl.load(b_ptr + k[:, None] * N + (n % N)[None, :])
                acc = tl.dot(a, b, acc)
            acc += tl.load(bias_ptr + n, mask=n < N, other=0.0)[None, :]
            acc = tl.where(acc > 0, acc, 0.01 * acc)
            tl.store(c_ptr + m[:, None] * N + n[None, :], acc.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))
        """, matmul_persistent, HALF, grid=(3,), constexprs={"GROUP": 2})
    yield kernel("matmul_transposed_a", {"a_ptr": fp32(40, 16), "b_ptr": fp32(40, 32), "c_ptr": of(FP32, 16, 32)}, """
        a = tl.make_block_ptr(a_ptr, (16, 40), (1, 16), (0, 0), (16, 16), (0, 1))
        b = tl.make_block_ptr(b_ptr, (40, 32), (32, 1), (0, 0), (16, 32), (1, 0))
        acc = tl.zeros((16, 32), tl.float32)
        for _ in range(0, 40, 16):
            acc += tl.dot(tl.load(a, boundary_check=(1,), padding_option="zero"), tl.load(b, boundary_check=(0,), padding_option="zero"), input_precision="ieee")
            a = tl.advance(a, (0, 16))
            b = tl.advance(b, (16, 0))
        c = tl.make_block_ptr(c_ptr, (16, 32), (32, 1), (0, 0), (16, 32), (1, 0))
        tl.store(c, acc)
        """, lambda v: {"c_ptr": wide(v.a_ptr).T @ wide(v.b_ptr)}, COARSE)
    yield kernel("syrk_lower", {"a_ptr": fp32(48, 32), "c_ptr": of(FP32, 48, 48, data=0.0), "alpha": 0.5}, """
        i, j = tl.program_id(0), tl.program_id(1)
        if j > i:
            return
        m = i * 16 + tl.arange(0, 16)
        n = j * 16 + tl.arange(0, 16)
        k = tl.arange(0, 32)
        acc = tl.dot(tl.load(a_ptr + m[:, None] * 32 + k[None, :]), tl.load(a_ptr + n[None, :] * 32 + k[:, None]), input_precision="ieee")
        tl.store(c_ptr + m[:, None] * 48 + n[None, :], alpha * acc, mask=m[:, None] >= n[None, :])
        """, lambda v: {"c_ptr": np.tril(v.alpha * wide(v.a_ptr) @ wide(v.a_ptr).T)}, COARSE, grid=(3, 3))
    yield kernel("lora_forward", {"x_ptr": fp16(20, 64), "w_ptr": fp16(64, 32), "down_ptr": fp16(2, 64, 16), "up_ptr": fp16(2, 16, 32), "adapter_ptr": of(I32, 2, data=[1, -1]),
                                  "y_ptr": of(FP32, 20, 32), "scale": 2.0}, """
        block = tl.program_id(0)
        m = block * 10 + tl.arange(0, 16)
        mask = (tl.arange(0, 16) < 10)[:, None]
        k = tl.arange(0, 64)
        n = tl.arange(0, 32)
        r = tl.arange(0, 16)
        x = tl.load(x_ptr + m[:, None] * 64 + k[None, :], mask=mask, other=0.0)
        y = tl.dot(x, tl.load(w_ptr + k[:, None] * 32 + n[None, :]))
        adapter = tl.load(adapter_ptr + block)
        if adapter >= 0:
            low = tl.dot(x, tl.load(down_ptr + adapter * 1024 + k[:, None] * 16 + r[None, :]))
            y += scale * tl.dot(low.to(tl.float16), tl.load(up_ptr + adapter * 512 + r[:, None] * 32 + n[None, :]))
        tl.store(y_ptr + m[:, None] * 32 + n[None, :], y, mask=mask)
        """, lora, HALF, grid=(2,))
    yield kernel("gemv_split_rows", {"a_ptr": fp16(100, 200), "x_ptr": fp16(200), "y_ptr": of(FP32, 100, data=0.0)}, """
        rows = tl.program_id(0) * 32 + tl.arange(0, 32)
        k = tl.program_id(1) * 128 + tl.arange(0, 128)
        a = tl.load(a_ptr + rows[:, None] * 200 + k[None, :], mask=(rows < 100)[:, None] & (k < 200)[None, :], other=0.0)
        x = tl.load(x_ptr + k, mask=k < 200, other=0.0)
        tl.atomic_add(y_ptr + rows, tl.sum(a.to(tl.float32) * x.to(tl.float32)[None, :], axis=1), mask=rows < 100, sem="relaxed")
        """, lambda v: {"y_ptr": wide(v.a_ptr) @ wide(v.x_ptr)}, COARSE, grid=(4, 2))
    yield kernel("matmul_tanh_gradient_chain", {"x_ptr": fp32(16, 16), "w_ptr": fp32(16, 32), "u_ptr": fp32(32, 16), "dw_ptr": of(FP32, 16, 32)}, """
        i = tl.arange(0, 16)
        j = tl.arange(0, 32)
        x = tl.load(x_ptr + i[:, None] * 16 + i[None, :])
        w = tl.load(w_ptr + i[:, None] * 32 + j[None, :])
        u = tl.load(u_ptr + j[:, None] * 16 + i[None, :])
        z = tl.dot(x, w, input_precision="ieee")
        h = 2 * tl.sigmoid(2 * z) - 1
        y = tl.dot(h, u, input_precision="ieee")
        dh = tl.dot(y, tl.trans(u), input_precision="ieee")
        dz = dh * (1 - h * h)
        tl.store(dw_ptr + i[:, None] * 32 + j[None, :], tl.dot(tl.trans(x), dz, input_precision="ieee"))
        """, gradient_chain, Tolerance(norm=1e-4))


def narrow_cases():
    yield kernel("quantize_tokens_int8", {"x_ptr": fp16(14, 300, scale=2), "q_ptr": of(I8, 14, 300), "scale_ptr": of(FP32, 14), "n": 300}, """
        row = tl.program_id(0)
        i = tl.arange(0, 512)
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0).to(tl.float32)
        scale = tl.maximum(tl.max(tl.abs(x), 0), 1e-8) / 127
        q = x / scale
        q = tl.floor(tl.abs(q) + 0.5) * tl.where(q < 0, -1.0, 1.0)
        tl.store(q_ptr + row * n + i, q.to(tl.int8), mask=i < n)
        tl.store(scale_ptr + row, scale)
        """, quantize_tokens, Tolerance(absolute=1, relative=1e-6), grid=(14,))
    yield kernel("matmul_w8a8", {"a_ptr": of(I8, 32, 64, data=("integers", -127, 128)), "b_ptr": of(I8, 64, 32, data=("integers", -127, 128)),
                                 "sa_ptr": of(FP32, 32, data=("uniform", 0.01, 0.1)), "sb_ptr": of(FP32, 32, data=("uniform", 0.01, 0.1)), "c_ptr": of(BF16, 32, 32)}, """
        m = tl.program_id(0) * 16 + tl.arange(0, 16)
        n = tl.arange(0, 32)
        k = tl.arange(0, 32)
        acc = tl.zeros((16, 32), dtype=tl.int32)
        for start in range(0, 64, 32):
            a = tl.load(a_ptr + m[:, None] * 64 + start + k[None, :])
            b = tl.load(b_ptr + (start + k)[:, None] * 32 + n[None, :])
            acc = tl.dot(a, b, acc, out_dtype=tl.int32)
        c = acc.to(tl.float32) * tl.load(sa_ptr + m)[:, None] * tl.load(sb_ptr + n)[None, :]
        tl.store(c_ptr + m[:, None] * 32 + n[None, :], c.to(tl.bfloat16))
        """, lambda v: {"c_ptr": (wide(v.a_ptr) @ wide(v.b_ptr)) * wide(v.sa_ptr)[:, None] * wide(v.sb_ptr)}, BRAIN, grid=(2,))
    yield kernel("matmul_int4_zero_points", {"x_ptr": fp16(16, 64), "q_ptr": of(U8, 32, 32, data="bits"), "scale_ptr": fp16(4, 32), "zero_ptr": of(U8, 4, 32, data=("integers", 0, 16)),
                                             "y_ptr": of(FP32, 16, 32)}, """
        m = tl.arange(0, 16)
        n = tl.arange(0, 32)
        acc = tl.zeros((16, 32), tl.float32)
        for group in range(4):
            k = group * 16 + tl.arange(0, 16)
            packed = tl.load(q_ptr + (k // 2)[:, None] * 32 + n[None, :])
            nibble = (packed >> ((k % 2) * 4).to(tl.uint8)[:, None]) & 0xF
            zero = tl.load(zero_ptr + group * 32 + n)
            w = (nibble.to(tl.float32) - zero.to(tl.float32)[None, :]).to(tl.float16) * tl.load(scale_ptr + group * 32 + n)[None, :]
            acc += tl.dot(tl.load(x_ptr + m[:, None] * 64 + k[None, :]), w)
        tl.store(y_ptr + m[:, None] * 32 + n[None, :], acc)
        """, matmul_int4, Tolerance(norm=2e-3))
    yield kernel("quantize_fp8_delayed_scale", {"x_ptr": fp32(800, scale=30), "scale_ptr": of(FP32, 1, data=4.0), "q_ptr": of(FP8E4NV, 800), "amax_ptr": of(FP32, 1, data=0.0)}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        x = tl.load(x_ptr + i, mask=i < 800, other=0.0)
        tl.atomic_max(amax_ptr, tl.max(tl.abs(x), 0))
        q = tl.clamp(x * tl.load(scale_ptr), -448.0, 448.0)
        tl.store(q_ptr + i, q.to(tl.float8e4nv), mask=i < 800)
        """, lambda v: {"q_ptr": settle(np.clip(v.x_ptr * np.float32(4), -448, 448), FP8E4NV), "amax_ptr": [np.abs(v.x_ptr).max()]}, EXACT, grid=(4,))
    yield kernel("matmul_fp8_block_scales", {"a_ptr": of(FP8E4NV, 16, 64, data=("normal", 1)), "as_ptr": of(FP32, 16, 2, data=("uniform", 0.5, 2)),
                                             "b_ptr": of(FP8E4NV, 64, 32, data=("normal", 1)), "bs_ptr": of(FP32, 2, data=("uniform", 0.5, 2)), "c_ptr": of(FP32, 16, 32)}, """
        m = tl.arange(0, 16)
        n = tl.arange(0, 32)
        acc = tl.zeros((16, 32), tl.float32)
        for block in range(2):
            k = block * 32 + tl.arange(0, 32)
            a = tl.load(a_ptr + m[:, None] * 64 + k[None, :])
            b = tl.load(b_ptr + k[:, None] * 32 + n[None, :])
            acc += tl.dot(a, b) * (tl.load(as_ptr + m * 2 + block) * tl.load(bs_ptr + block))[:, None]
        tl.store(c_ptr + m[:, None] * 32 + n[None, :], acc)
        """, matmul_fp8, COARSE)
    yield kernel("dequantize_mxfp4", {"q_ptr": of(U8, 24, 16, data="bits"), "scale_ptr": of(U8, 24, data=("integers", 120, 134)), "y_ptr": of(FP32, 24, 32), "lut_ptr": of(FP32, 16, data=E2M1)}, """
        block = tl.program_id(0) * 8 + tl.arange(0, 8)
        i = tl.arange(0, 16)
        packed = tl.load(q_ptr + block[:, None] * 16 + i[None, :])
        low = tl.load(lut_ptr + (packed & 0xF))
        high = tl.load(lut_ptr + (packed >> 4))
        exponent = tl.load(scale_ptr + block).to(tl.int32) << 23
        scale = exponent.to(tl.float32, bitcast=True)[:, None]
        y = tl.interleave(low * scale, high * scale)
        tl.store(y_ptr + block[:, None] * 32 + tl.arange(0, 32)[None, :], y)
        """, dequantize_mxfp4, EXACT, grid=(3,))
    yield kernel("dot_scaled_mxfp8", {"a_ptr": of(FP8E4NV, 32, 64, data=("normal", 1)), "sa_ptr": of(U8, 32, 2, data=("integers", 124, 130)),
                                      "b_ptr": of(FP8E4NV, 64, 32, data=("normal", 1)), "sb_ptr": of(U8, 32, 2, data=("integers", 124, 130)), "c_ptr": of(FP32, 32, 32)}, """
        i = tl.arange(0, 32)
        k = tl.arange(0, 64)
        s = tl.arange(0, 2)
        a = tl.load(a_ptr + i[:, None] * 64 + k[None, :])
        b = tl.load(b_ptr + k[:, None] * 32 + i[None, :])
        sa = tl.load(sa_ptr + i[:, None] * 2 + s[None, :])
        sb = tl.load(sb_ptr + i[:, None] * 2 + s[None, :])
        tl.store(c_ptr + i[:, None] * 32 + i[None, :], tl.dot_scaled(a, sa, "e4m3", b, sb, "e4m3"))
        """, dot_scaled, COARSE)
    yield kernel("dequantize_nf4_blocks", {"q_ptr": of(U8, 256, data="bits"), "absmax_ptr": of(U8, 8, data=("integers", 1, 256)), "code_ptr": of(FP32, 256, data=np.linspace(-1, 1, 256)),
                                           "nf4_ptr": of(FP32, 16, data=np.tanh(np.linspace(-1.5, 1.5, 16))), "y_ptr": of(FP16, 512), "offset": 0.03}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        byte = tl.load(q_ptr + i // 2)
        nibble = tl.where(i % 2 == 0, byte >> 4, byte & 15).to(tl.int32)
        absmax = tl.load(code_ptr + tl.load(absmax_ptr + i // 64).to(tl.int32)) * 0.5 + offset
        tl.store(y_ptr + i, (tl.load(nf4_ptr + nibble) * absmax).to(tl.float16))
        """, dequantize_nf4, HALF, grid=(4,))
    yield kernel("ternary_weights_gemv", {"x_ptr": fp32(64), "q_ptr": of(U8, 20, 16, data=np.random.default_rng(8).choice([0b00, 0b01, 0b10], (20, 16, 4)) @ [1, 4, 16, 64]),
                                          "y_ptr": of(FP32, 20)}, """
        row = tl.program_id(0)
        k = tl.arange(0, 64)
        code = (tl.load(q_ptr + row * 16 + k // 4).to(tl.int32) >> (k % 4 * 2)) & 3
        x = tl.load(x_ptr + k)
        tl.store(y_ptr + row, tl.sum(tl.where(code == 1, x, tl.where(code == 2, -x, 0.0)), 0))
        """, ternary, COARSE, grid=(20,))
    yield kernel("stochastic_rounding_bf16", {"x_ptr": fp32(512), "y_ptr": of(I16, 512), "seed": 5}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        bits = tl.load(x_ptr + i).to(tl.uint32, bitcast=True)
        noise = tl.randint(seed, i).to(tl.uint32, bitcast=True) & 0xFFFF
        tl.store(y_ptr + i, ((bits + noise) >> 16).to(tl.int16))
        """, stochastic_rounding, EXACT, grid=(2,))
    yield kernel("int8_kv_cache_write", {"k_ptr": fp16(5, 4, 32), "slot_ptr": of(I32, 5, data=[7, -1, 0, 12, 3]), "cache_ptr": of(I8, 16, 4, 32, data=0), "scale_ptr": of(FP16, 16, 4, data=0.0)}, """
        token, head = tl.program_id(0), tl.program_id(1)
        slot = tl.load(slot_ptr + token).to(tl.int64)
        if slot >= 0:
            d = tl.arange(0, 32)
            k = tl.load(k_ptr + (token * 4 + head) * 32 + d).to(tl.float32)
            scale = tl.max(tl.abs(k)) / 127.0
            q = libdevice.rint(k / scale)
            tl.store(cache_ptr + (slot * 4 + head) * 32 + d, q.to(tl.int8))
            tl.store(scale_ptr + slot * 4 + head, scale.to(tl.float16))
        """, kv_cache_write, Tolerance(absolute=1, relative=1e-3), grid=(5, 4))


def cases():
    yield from product_cases()
    yield from narrow_cases()


def matmul_grouped(v):
    out = np.empty((50, 16))
    for expert, (first, last) in enumerate(zip(v.starts_ptr, v.starts_ptr[1:])):
        out[first:last] = wide(v.a_ptr)[first:last] @ wide(v.b_ptr)[expert]
    return {"c_ptr": out}


def matmul_persistent(v):
    c = wide(v.a_ptr) @ wide(v.b_ptr) + wide(v.bias_ptr)
    return {"c_ptr": np.where(c > 0, c, 0.01 * c)}


def lora(v):
    x = wide(v.x_ptr)
    y = x @ wide(v.w_ptr)
    y[:10] += v.scale * x[:10] @ wide(v.down_ptr)[1] @ wide(v.up_ptr)[1]
    return {"y_ptr": y}


def gradient_chain(v):
    x, w, u = wide(v.x_ptr), wide(v.w_ptr), wide(v.u_ptr)
    h = np.tanh(x @ w)
    return {"dw_ptr": x.T @ ((h @ u @ u.T) * (1 - h * h))}


def quantize_tokens(v):
    x = v.x_ptr.astype(np.float32)
    scale = np.abs(x).max(1, keepdims=True) / np.float32(127)
    q = x / scale
    return {"q_ptr": np.floor(np.abs(q) + np.float32(0.5)) * np.sign(q), "scale_ptr": scale[:, 0]}


def matmul_int4(v):
    nibbles = np.stack([v.q_ptr & 15, v.q_ptr >> 4], 1).reshape(64, 32).astype(float)
    w = (nibbles - np.repeat(v.zero_ptr.astype(float), 16, 0)) * np.repeat(wide(v.scale_ptr), 16, 0)
    return {"y_ptr": wide(v.x_ptr) @ w}


def matmul_fp8(v):
    a = wide(v.a_ptr) * np.repeat(wide(v.as_ptr), 32, 1)
    return {"c_ptr": a @ (wide(v.b_ptr) * np.repeat(wide(v.bs_ptr), 32)[:, None])}


def dequantize_mxfp4(v):
    numbers = np.stack([E2M1[v.q_ptr & 15], E2M1[v.q_ptr >> 4]], 2).reshape(24, 32)
    return {"y_ptr": numbers * 2.0 ** (v.scale_ptr.astype(float) - 127)[:, None]}


def dot_scaled(v):
    scale = [np.repeat(2.0 ** (s.astype(float) - 127), 32, 1) for s in (v.sa_ptr, v.sb_ptr)]
    return {"c_ptr": (wide(v.a_ptr) * scale[0]) @ (wide(v.b_ptr) * scale[1].T)}


def dequantize_nf4(v):
    nibbles = np.stack([v.q_ptr >> 4, v.q_ptr & 15], 1).reshape(-1)
    absmax = np.repeat(wide(v.code_ptr)[v.absmax_ptr] * 0.5 + v.offset, 64)
    return {"y_ptr": wide(v.nf4_ptr)[nibbles] * absmax}


def ternary(v):
    codes = (v.q_ptr[:, :, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3
    return {"y_ptr": np.array([0.0, 1.0, -1.0])[codes.reshape(20, 64)] @ wide(v.x_ptr)}


def stochastic_rounding(v):
    from .random_numbers import philox
    noise = philox(v.seed, np.arange(512))[0] & np.uint32(0xFFFF)
    return {"y_ptr": ((v.x_ptr.view(np.uint32) + noise) >> np.uint32(16)).astype(np.uint16).view(np.int16)}


def kv_cache_write(v):
    cache, scales = np.zeros((16, 4, 32)), np.zeros((16, 4))
    for token, slot in enumerate(v.slot_ptr):
        if slot >= 0:
            k = wide(v.k_ptr)[token]
            scales[slot] = np.abs(k).max(1) / 127
            cache[slot] = np.rint(k / scales[slot][:, None])
    return {"cache_ptr": cache, "scale_ptr": scales}
