# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Gathers and scatters, sparse matrices, graphs, bytes of text, random numbers, and simulations."""

import base64

import numpy as np

from .kernel import COARSE, EXACT, FP16, FP32, HALF, I32, I64, U32, U8, Tolerance, fp16, fp32, i32, kernel, of, softmax, wide
from .random_numbers import as_uniform, normal, philox, uniform

TEXT = b"Tiles of a block, 42 rows & 7 columns; \xc3\xa4 caf\xc3\xa9 \xe2\x82\xac9. Then the next ones follow: 1234 and 5."
STARTS = np.array([0, 3, 3, 10, 11, 20, 24, 24, 31, 40])


def gather_cases():
    yield kernel("embedding_padding_scaled", {"at_ptr": of(I64, 40, data=("integers", 0, 30)), "w_ptr": fp16(30, 48), "y_ptr": of(FP16, 40, 48), "padding": 3}, """
        row = tl.program_id(0)
        at = tl.load(at_ptr + row)
        i = tl.arange(0, 64)
        w = tl.load(w_ptr + at * 48 + i, mask=(i < 48) & (at != padding), other=0.0)
        tl.store(y_ptr + row * 48 + i, w * 6.928203230275509, mask=i < 48)
        """, lambda v: {"y_ptr": np.where(v.at_ptr[:, None] == v.padding, 0, wide(v.w_ptr)[v.at_ptr] * np.sqrt(48))}, HALF, grid=(40,))
    yield kernel("embedding_bag_mean", {"at_ptr": i32(40, below=25), "starts_ptr": of(I32, 10, data=STARTS), "w_ptr": fp32(25, 32), "y_ptr": of(FP32, 9, 32)}, """
        bag = tl.program_id(0)
        begin, end = tl.load(starts_ptr + bag), tl.load(starts_ptr + bag + 1)
        i = tl.arange(0, 32)
        acc = tl.zeros((32,), tl.float32)
        for k in range(begin, end):
            acc += tl.load(w_ptr + tl.load(at_ptr + k) * 32 + i)
        tl.store(y_ptr + bag * 32 + i, acc / tl.maximum(end - begin, 1))
        """, embedding_bag, COARSE, grid=(9,))
    yield kernel("scatter_add_rows", {"x_ptr": fp32(50, 20), "at_ptr": i32(50, below=8), "y_ptr": of(FP32, 8, 20, data=0.0)}, """
        row = tl.program_id(0) * 16 + tl.arange(0, 16)
        i = tl.arange(0, 32)
        mask = (row < 50)[:, None] & (i < 20)[None, :]
        at = tl.load(at_ptr + row, mask=row < 50, other=0)
        x = tl.load(x_ptr + row[:, None] * 20 + i[None, :], mask=mask, other=0.0)
        tl.atomic_add(y_ptr + at[:, None] * 20 + i[None, :], x, mask=mask)
        """, scatter_add, COARSE, grid=(4,))
    yield kernel("gather_along_columns", {"x_ptr": fp32(12, 64), "at_ptr": of(I32, 12, 16, data=("integers", 0, 64)), "y_ptr": of(FP32, 12, 16)}, """
        r = tl.arange(0, 16)
        c = tl.arange(0, 64)
        x = tl.load(x_ptr + r[:, None] * 64 + c[None, :], mask=(r < 12)[:, None], other=0.0)
        k = tl.arange(0, 16)
        at = tl.load(at_ptr + r[:, None] * 16 + k[None, :], mask=(r < 12)[:, None], other=0)
        tl.store(y_ptr + r[:, None] * 16 + k[None, :], tl.gather(x, at, axis=1), mask=(r < 12)[:, None])
        """, lambda v: {"y_ptr": np.take_along_axis(v.x_ptr, v.at_ptr, 1)}, EXACT)
    yield kernel("index_put_masked", {"x_ptr": fp32(30, 10), "at_ptr": of(I32, 6, data=[29, -1, 4, 7, -1, 0]), "value_ptr": fp32(6, 10)}, """
        i = tl.program_id(0)
        at = tl.load(at_ptr + i)
        c = tl.arange(0, 16)
        tl.store(x_ptr + at * 10 + c, tl.load(value_ptr + i * 10 + c, mask=c < 10), mask=(c < 10) & (at >= 0))
        """, index_put, EXACT, grid=(6,))
    yield kernel("positions_sinusoidal", {"y_ptr": of(FP32, 20, 64), "offset": 5}, """
        t = tl.program_id(0)
        i = tl.arange(0, 64)
        angle = (t + offset) * tl.exp((i // 2 * 2).to(tl.float32) * (-9.210340371976184 / 64))
        tl.store(y_ptr + t * 64 + i, tl.where(i % 2 == 0, tl.sin(angle), tl.cos(angle)))
        """, sinusoidal, COARSE, grid=(20,))
    yield kernel("transpose_heads_packed", {"x_ptr": fp16(2, 9, 3, 4, 16), "y_ptr": of(FP16, 3, 2, 4, 9, 16)}, """
        which, batch, token = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        head = tl.arange(0, 4)[:, None]
        d = tl.arange(0, 16)[None, :]
        x = tl.load(x_ptr + ((batch * 9 + token) * 3 + which) * 64 + head * 16 + d)
        tl.store(y_ptr + (((which * 2 + batch) * 4 + head) * 9 + token) * 16 + d, x)
        """, lambda v: {"y_ptr": v.x_ptr.transpose(2, 0, 3, 1, 4)}, EXACT, grid=(3, 2, 9))


def sparse_cases():
    graph = {"starts_ptr": of(I32, 10, data=STARTS), "column_ptr": i32(40, below=15)}
    yield kernel("csr_spmv", {**graph, "value_ptr": fp32(40), "x_ptr": fp32(15), "y_ptr": of(FP32, 9)}, """
        row = tl.program_id(0)
        begin, end = tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)
        acc = tl.zeros((4,), tl.float32)
        for k in range(begin, end, 4):
            i = k + tl.arange(0, 4)
            mask = i < end
            column = tl.load(column_ptr + i, mask=mask, other=0)
            acc += tl.load(value_ptr + i, mask=mask, other=0.0) * tl.load(x_ptr + column, mask=mask, other=0.0)
        tl.store(y_ptr + row, tl.sum(acc))
        """, lambda v: {"y_ptr": csr(v) @ wide(v.x_ptr)}, COARSE, grid=(9,))
    yield kernel("csr_spmm", {**graph, "value_ptr": fp32(40), "x_ptr": fp32(15, 24), "y_ptr": of(FP32, 9, 24)}, """
        row = tl.program_id(0)
        j = tl.arange(0, 32)
        acc = tl.zeros((32,), tl.float32)
        for k in range(tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)):
            acc += tl.load(value_ptr + k) * tl.load(x_ptr + tl.load(column_ptr + k) * 24 + j, mask=j < 24, other=0.0)
        tl.store(y_ptr + row * 24 + j, acc, mask=j < 24)
        """, lambda v: {"y_ptr": csr(v) @ wide(v.x_ptr)}, COARSE, grid=(9,))
    yield kernel("sampled_dense_dense", {**graph, "a_ptr": fp32(9, 32), "b_ptr": fp32(15, 32), "value_ptr": of(FP32, 40)}, """
        row = tl.program_id(0)
        d = tl.arange(0, 32)
        a = tl.load(a_ptr + row * 32 + d)
        for k in range(tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)):
            b = tl.load(b_ptr + tl.load(column_ptr + k) * 32 + d)
            tl.store(value_ptr + k, tl.sum(a * b))
        """, sddmm, COARSE, grid=(9,))
    yield kernel("graph_edge_softmax", {"starts_ptr": of(I32, 10, data=STARTS), "x_ptr": fp32(40, 4), "y_ptr": of(FP32, 40, 4)}, """
        node = tl.program_id(0)
        begin = tl.load(starts_ptr + node)
        end = tl.load(starts_ptr + node + 1)
        e = begin + tl.arange(0, 16)
        head = tl.arange(0, 4)
        mask = (e < end)[:, None]
        at = e[:, None] * 4 + head[None, :]
        x = tl.load(x_ptr + at, mask=mask, other=-float("inf"))
        p = tl.exp(x - tl.maximum(tl.max(x, 0), -1e30)[None, :])
        tl.store(y_ptr + at, p / tl.sum(p, 0)[None, :], mask=mask)
        """, edge_softmax, COARSE, grid=(9,))
    yield kernel("block_sparse_matmul", {"block_ptr": fp16(5, 16, 16), "row_ptr": of(I32, 4, data=[0, 2, 2, 5]), "column_ptr": of(I32, 5, data=[0, 3, 1, 2, 3]), "b_ptr": fp16(64, 32), "c_ptr": of(FP32, 48, 32)}, """
        band = tl.program_id(0)
        i = tl.arange(0, 16)
        n = tl.arange(0, 32)
        acc = tl.zeros((16, 32), tl.float32)
        for k in range(tl.load(row_ptr + band), tl.load(row_ptr + band + 1)):
            a = tl.load(block_ptr + k * 256 + i[:, None] * 16 + i[None, :])
            b = tl.load(b_ptr + (tl.load(column_ptr + k) * 16 + i)[:, None] * 32 + n[None, :])
            acc = tl.dot(a, b, acc)
        tl.store(c_ptr + (band * 16 + i)[:, None] * 32 + n[None, :], acc)
        """, block_sparse, COARSE, grid=(3,))
    yield kernel("coo_accumulate", {"row_ptr": i32(70, below=12), "column_ptr": i32(70, below=12), "value_ptr": of(I32, 70, data=("integers", -9, 10)), "y_ptr": of(I32, 12, 12, data=0)}, """
        i = tl.program_id(0) * 32 + tl.arange(0, 32)
        mask = i < 70
        row, column = tl.load(row_ptr + i, mask=mask), tl.load(column_ptr + i, mask=mask)
        tl.atomic_add(y_ptr + row * 12 + column, tl.load(value_ptr + i, mask=mask), mask=mask)
        """, coo, EXACT, grid=(3,))


def text_cases():
    text = {"text_ptr": of(U8, len(TEXT), data=np.frombuffer(TEXT, np.uint8)), "n": len(TEXT)}
    yield kernel("upper_case_bytes", {**text, "y_ptr": of(U8, len(TEXT))}, """
        i = tl.arange(0, 128)
        c = tl.load(text_ptr + i, mask=i < n, other=0)
        is_lower = (c >= 97) & (c <= 122)
        tl.store(y_ptr + i, tl.where(is_lower, c - 32, c), mask=i < n)
        """, lambda v: {"y_ptr": np.frombuffer(TEXT.upper(), np.uint8)}, EXACT)
    yield kernel("utf8_and_words_counted", {**text, "count_ptr": of(I32, 3)}, """
        i = tl.arange(0, 128)
        c = tl.load(text_ptr + i, mask=i < n, other=32)
        before = tl.load(text_ptr + i - 1, mask=(i > 0) & (i < n), other=32)
        tl.store(count_ptr, tl.sum((((c & 0xC0) != 0x80) & (i < n)).to(tl.int32), 0))
        tl.store(count_ptr + 1, tl.sum(((c != 32) & (before == 32)).to(tl.int32), 0))
        is_digit = (c >= 48) & (c <= 57)
        tl.store(count_ptr + 2, tl.sum(tl.where(is_digit, c.to(tl.int32) - 48, 0), 0))
        """, lambda v: {"count_ptr": [len(TEXT.decode()), len(TEXT.split()), sum(c - 48 for c in TEXT if 48 <= c <= 57)]}, EXACT)
    yield kernel("base64_encode_bytes", {**text, "y_ptr": of(U8, len(TEXT) // 3 * 4)}, """
        group = tl.arange(0, 32)
        mask = group < n // 3
        a = tl.load(text_ptr + group * 3, mask=mask, other=0).to(tl.uint32)
        b = tl.load(text_ptr + group * 3 + 1, mask=mask, other=0).to(tl.uint32)
        c = tl.load(text_ptr + group * 3 + 2, mask=mask, other=0).to(tl.uint32)
        word = (a << 16) | (b << 8) | c
        for k in tl.static_range(4):
            v = ((word >> (18 - 6 * k)) & 63).to(tl.int32)
            letter = tl.where(v < 26, v + 65, tl.where(v < 52, v + 71, tl.where(v < 62, v - 4, tl.where(v == 62, 43, 47))))
            tl.store(y_ptr + group * 4 + k, letter.to(tl.uint8), mask=mask)
        """, lambda v: {"y_ptr": np.frombuffer(base64.b64encode(TEXT[:len(TEXT) // 3 * 3]), np.uint8)}, EXACT)
    yield kernel("fnv1a_of_rows", {"x_ptr": of(U8, 16, 24, data="bits"), "hash_ptr": of(U32, 16)}, """
        row = tl.arange(0, 16)
        h = tl.full((16,), 2166136261, tl.uint32)
        for i in range(24):
            h = (h ^ tl.load(x_ptr + row * 24 + i).to(tl.uint32)) * 16777619
        tl.store(hash_ptr + row, h)
        """, fnv1a, EXACT)
    yield kernel("edit_distance_rows", {"a_ptr": of(U8, 6, 16, data=("integers", 97, 101)), "b_ptr": of(U8, 6, 16, data=("integers", 97, 101)), "y_ptr": of(I32, 6)}, """
        pair = tl.program_id(0)
        j = tl.arange(0, 16)
        b = tl.load(b_ptr + pair * 16 + j)
        row = j + 1
        for i in range(16):
            a = tl.load(a_ptr + pair * 16 + i)
            diagonal = tl.where(j == 0, i, tl.gather(row, tl.maximum(j - 1, 0), 0))
            best = tl.minimum(row + 1, diagonal + (a != b).to(tl.int32))
            # Along the row each step costs one: the least of what lies in front, less its place.
            best = tl.minimum(best, i + 2 + j)
            row = tl.associative_scan(best - j, 0, lesser) + j
        tl.store(y_ptr + pair, tl.sum(tl.where(j == 15, row, 0), 0))
        """, edit_distance, EXACT, grid=(6,), helpers="""
        @triton.jit
        def lesser(a, b):
            return tl.minimum(a, b)

        """)


def simulation_cases():
    yield kernel("normal_numbers", {"y_ptr": of(FP32, 300), "seed": 42}, """
        i = tl.program_id(0) * 128 + tl.arange(0, 128)
        tl.store(y_ptr + i, tl.randn(seed, i), mask=i < 300)
        """, lambda v: {"y_ptr": normal(v.seed, np.arange(300))}, COARSE, grid=(3,))
    yield kernel("random_words_4x", {"y_ptr": of(I32, 128, 4), "seed": 0x123456789AB}, """
        i = tl.arange(0, 128)
        a, b, c, d = tl.randint4x(seed, i)
        tl.store(y_ptr + i * 4, a)
        tl.store(y_ptr + i * 4 + 1, b)
        tl.store(y_ptr + i * 4 + 2, c)
        tl.store(y_ptr + i * 4 + 3, d)
        """, lambda v: {"y_ptr": np.stack(philox(v.seed, np.arange(128)), 1).view(np.int32)}, EXACT)
    yield kernel("monte_carlo_pi", {"hits_ptr": of(I32, 1, data=0), "seed": 7}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        x, y = tl.rand(seed, i), tl.rand(seed + 1, i)
        tl.atomic_add(hits_ptr, tl.sum((x * x + y * y < 1.0).to(tl.int32), 0))
        """, lambda v: {"hits_ptr": [(wide(uniform(7, np.arange(2048))) ** 2 + wide(uniform(8, np.arange(2048))) ** 2 < 1).sum()]}, Tolerance(absolute=1), grid=(8,))
    yield kernel("nbody_accelerations", {"p_ptr": fp32(48, 4), "a_ptr": of(FP32, 48, 3)}, """
        i = tl.program_id(0) * 16 + tl.arange(0, 16)
        x, y, z = tl.load(p_ptr + i * 4), tl.load(p_ptr + i * 4 + 1), tl.load(p_ptr + i * 4 + 2)
        ax, ay, az = tl.zeros_like(x), tl.zeros_like(x), tl.zeros_like(x)
        for start in range(0, 48, 16):
            j = start + tl.arange(0, 16)
            dx = tl.load(p_ptr + j * 4)[None, :] - x[:, None]
            dy = tl.load(p_ptr + j * 4 + 1)[None, :] - y[:, None]
            dz = tl.load(p_ptr + j * 4 + 2)[None, :] - z[:, None]
            inverse = tl.rsqrt(dx * dx + dy * dy + dz * dz + 0.01)
            w = tl.abs(tl.load(p_ptr + j * 4 + 3))[None, :] * inverse * inverse * inverse
            ax += tl.sum(w * dx, 1)
            ay += tl.sum(w * dy, 1)
            az += tl.sum(w * dz, 1)
        tl.store(a_ptr + i * 3, ax)
        tl.store(a_ptr + i * 3 + 1, ay)
        tl.store(a_ptr + i * 3 + 2, az)
        """, nbody, COARSE, grid=(3,))
    yield kernel("kmeans_assign", {"x_ptr": fp32(60, 16), "c_ptr": fp32(8, 16), "label_ptr": of(I32, 60), "count_ptr": of(I32, 8, data=0)}, """
        i = tl.program_id(0) * 16 + tl.arange(0, 16)
        d = tl.arange(0, 16)
        k = tl.arange(0, 8)
        x = tl.load(x_ptr + i[:, None] * 16 + d[None, :], mask=(i < 60)[:, None], other=0.0)
        c = tl.load(c_ptr + k[:, None] * 16 + d[None, :])
        gap = x[:, None, :] - c[None, :, :]
        label = tl.argmin(tl.sum(gap * gap, 2), 1)
        tl.store(label_ptr + i, label, mask=i < 60)
        tl.atomic_add(count_ptr + label, 1, mask=i < 60)
        """, kmeans, EXACT, grid=(4,))
    yield kernel("pairwise_cosine", {"a_ptr": fp16(20, 32), "b_ptr": fp16(30, 32), "y_ptr": of(FP32, 20, 30)}, """
        m, n, d = tl.arange(0, 32), tl.arange(0, 32), tl.arange(0, 32)
        a = tl.load(a_ptr + m[:, None] * 32 + d[None, :], mask=(m < 20)[:, None], other=0.0)
        b = tl.load(b_ptr + n[:, None] * 32 + d[None, :], mask=(n < 30)[:, None], other=0.0)
        na = tl.sqrt(tl.sum(a.to(tl.float32) * a.to(tl.float32), 1))
        nb = tl.sqrt(tl.sum(b.to(tl.float32) * b.to(tl.float32), 1))
        y = tl.dot(a, tl.trans(b)) / tl.maximum(na[:, None] * nb[None, :], 1e-8)
        tl.store(y_ptr + m[:, None] * 30 + n[None, :], y, mask=(m < 20)[:, None] & (n < 30)[None, :])
        """, cosine, COARSE)
    yield kernel("collatz_lengths", {"n_ptr": of(I32, 200)}, """
        i = tl.program_id(0)
        x = i + 1
        n = 0
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            n += 1
        tl.store(n_ptr + i, n)
        """, collatz, EXACT, grid=(200,))
    yield kernel("black_scholes_calls", {"s_ptr": of(FP32, 500, data=("uniform", 5, 30)), "k_ptr": of(FP32, 500, data=("uniform", 5, 30)), "t_ptr": of(FP32, 500, data=("uniform", 0.2, 3)),
                                         "y_ptr": of(FP32, 500), "rate": 0.03, "sigma": 0.4}, """
        i = tl.program_id(0) * 256 + tl.arange(0, 256)
        mask = i < 500
        s, k, t = tl.load(s_ptr + i, mask=mask, other=1.0), tl.load(k_ptr + i, mask=mask, other=1.0), tl.load(t_ptr + i, mask=mask, other=1.0)
        root = sigma * tl.sqrt(t)
        d1 = (tl.log(s / k) + (rate + sigma * sigma / 2) * t) / root
        n1 = 0.5 * (1 + tl.erf(d1 * 0.7071067811865476))
        n2 = 0.5 * (1 + tl.erf((d1 - root) * 0.7071067811865476))
        tl.store(y_ptr + i, s * n1 - k * tl.exp(-rate * t) * n2, mask=mask)
        """, black_scholes, COARSE, grid=(2,))


def cases():
    yield from gather_cases()
    yield from sparse_cases()
    yield from text_cases()
    yield from simulation_cases()


def embedding_bag(v):
    out = np.zeros((9, 32))
    for bag, (begin, end) in enumerate(zip(STARTS, STARTS[1:])):
        if end > begin:
            out[bag] = wide(v.w_ptr)[v.at_ptr[begin:end]].mean(0)
    return {"y_ptr": out}


def scatter_add(v):
    out = np.zeros((8, 20))
    np.add.at(out, v.at_ptr, wide(v.x_ptr))
    return {"y_ptr": out}


def index_put(v):
    out = v.x_ptr.copy()
    out[v.at_ptr[v.at_ptr >= 0]] = v.value_ptr[v.at_ptr >= 0]
    return {"x_ptr": out}


def sinusoidal(v):
    angle = (np.arange(20)[:, None] + v.offset) * 10000.0 ** (-(np.arange(64) // 2 * 2) / 64)
    return {"y_ptr": np.where(np.arange(64) % 2 == 0, np.sin(angle), np.cos(angle))}


def rows():
    return np.repeat(np.arange(9), np.diff(STARTS))


def csr(v):
    out = np.zeros((9, 15))
    np.add.at(out, (rows(), v.column_ptr), wide(v.value_ptr))
    return out


def sddmm(v):
    return {"value_ptr": (wide(v.a_ptr)[rows()] * wide(v.b_ptr)[v.column_ptr]).sum(1)}


def edge_softmax(v):
    out = np.empty((40, 4))
    for begin, end in zip(STARTS, STARTS[1:]):
        if end > begin:
            out[begin:end] = softmax(wide(v.x_ptr)[begin:end], axis=0)
    return {"y_ptr": out}


def block_sparse(v):
    a = np.zeros((48, 64))
    for band in range(3):
        for k in range(v.row_ptr[band], v.row_ptr[band + 1]):
            column = 16 * v.column_ptr[k]
            a[16 * band:16 * band + 16, column:column + 16] += wide(v.block_ptr)[k]
    return {"c_ptr": a @ wide(v.b_ptr)}


def coo(v):
    out = np.zeros((12, 12), int)
    np.add.at(out, (v.row_ptr, v.column_ptr), v.value_ptr)
    return {"y_ptr": out}


def fnv1a(v):
    out = []
    for row in v.x_ptr.tolist():
        h = 2166136261
        for byte in row:
            h = (h ^ byte) * 16777619 & 0xFFFFFFFF
        out.append(h)
    return {"hash_ptr": out}


def edit_distance(v):
    out = []
    for a, b in zip(v.a_ptr.tolist(), v.b_ptr.tolist()):
        before = list(range(17))
        for i, x in enumerate(a):
            row = [i + 1]
            for j, y in enumerate(b):
                row.append(min(row[j] + 1, before[j + 1] + 1, before[j] + (x != y)))
            before = row
        out.append(before[-1])
    return {"y_ptr": out}


def nbody(v):
    p = wide(v.p_ptr)
    gap = p[None, :, :3] - p[:, None, :3]
    weight = np.abs(p[:, 3])[None, :] * ((gap ** 2).sum(2) + 0.01) ** -1.5
    return {"a_ptr": (weight[..., None] * gap).sum(1)}


def kmeans(v):
    label = ((wide(v.x_ptr)[:, None] - wide(v.c_ptr)) ** 2).sum(2).argmin(1)
    return {"label_ptr": label, "count_ptr": np.bincount(label, minlength=8)}


def cosine(v):
    a, b = wide(v.a_ptr), wide(v.b_ptr)
    return {"y_ptr": a @ b.T / np.linalg.norm(a, axis=1)[:, None] / np.linalg.norm(b, axis=1)}


def collatz(v):
    out = []
    for x in range(1, 201):
        n = 0
        while x != 1:
            x, n = (x // 2 if x % 2 == 0 else 3 * x + 1), n + 1
        out.append(n)
    return {"n_ptr": out}


def black_scholes(v):
    from math import erf
    phi = np.vectorize(lambda x: 0.5 * (1 + erf(x / np.sqrt(2))))
    s, k, t = wide(v.s_ptr), wide(v.k_ptr), wide(v.t_ptr)
    root = v.sigma * np.sqrt(t)
    d1 = (np.log(s / k) + (v.rate + v.sigma ** 2 / 2) * t) / root
    return {"y_ptr": s * phi(d1) - k * np.exp(-v.rate * t) * phi(d1 - root)}
