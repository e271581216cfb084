# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Matrix products: types, precisions, sizes, orders of the operands, accumulators, batches, scales."""

import numpy as np

from .case import EXACT, Case, Tensor, Tolerance
from .dtypes import BF16, FP16, FP32, FP64, FP8E4NV, FP8E5, I32, I8, U8

# Inputs' type and precision decide how exact a product is; sums are made in fp32.
NORM = {"fp64": 1e-13, "fp32 ieee": 1e-6, "fp32 tf32": 2e-3, "fp32 tf32x3": 2e-5, "fp32 bf16x3": 5e-5,
        "fp32 bf16x6": 1e-6, "fp16": 1e-6, "bf16": 1e-6, "fp8e5": 1e-6, "fp8e4nv": 1e-6}
FP16_RESULT = 2e-3
# Tensor cores that multiply 8-bit floats for a whole warp group keep some 14 bits of the sums.
NORM_OF_FP8_ON_GPU = 2e-4


def rounded(dtype, norm):
    return Tolerance(norm=norm, norm_on_gpu=NORM_OF_FP8_ON_GPU if dtype in (FP8E5, FP8E4NV) else 0.0)


def block(name, rows, cols, stride_row, stride_col):
    return f"{name}_ptr + tl.arange(0, {rows})[:, None] * {stride_row} + tl.arange(0, {cols})[None, :] * {stride_col}"


def product(name, dtype, m, n, k, warps, precision=None, out=FP32, transposed=(False, False), accumulate=False,
            epilogue="", finish=lambda c, v: c, norm=None, extra=None, group="dot"):
    integer = dtype.kind != "f"
    data = ("integers", -100, 100) if integer else ("normal", 0.3)
    result = I32 if integer else FP64 if dtype is FP64 else out
    args = {"a_ptr": Tensor(dtype, (k, m) if transposed[0] else (m, k), data),
            "b_ptr": Tensor(dtype, (n, k) if transposed[1] else (k, n), data), **(extra or {})}
    lines = [f"a = tl.load({block('a', m, k, *((1, m) if transposed[0] else (k, 1)))})",
             f"b = tl.load({block('b', k, n, *((1, k) if transposed[1] else (n, 1)))})"]
    options = (f', input_precision="{precision}"' if precision else "")
    options += f", out_dtype={result.language}" if result in (FP16, I32) else ""
    if accumulate:
        args["c_ptr"] = Tensor(result, (m, n), data)
        lines += [f"c = tl.load({block('c', m, n, n, 1)})", f"d = tl.dot(a, b, c{options})"]
    else:
        lines.append(f"d = tl.dot(a, b{options})")
    lines.append(f"tl.static_assert(d.dtype == {result.language})")
    args["o_ptr"] = Tensor(result, (m, n))
    lines += epilogue.strip("\n").split("\n") if epilogue else []
    lines.append(f"tl.store({block('o', m, n, n, 1)}, d)")

    def reference(v):
        wide = np.int64 if integer else np.float64
        a, b = v.a_ptr.astype(wide), v.b_ptr.astype(wide)
        d = (a.T if transposed[0] else a) @ (b.T if transposed[1] else b)
        return {"o_ptr": finish(d + v.c_ptr.astype(wide) if accumulate else d, v)}

    if norm is None and not integer:
        norm = FP16_RESULT if result is FP16 else NORM.get(f"{dtype.name} {precision or 'tf32'}", NORM.get(dtype.name, 0))
    return Case(f"dot_{name}", group, args, "\n".join(lines), reference, EXACT if integer else rounded(dtype, norm),
                options={"num_warps": warps})


def plain_cases():
    fp32_precisions = ["tf32", "tf32x3", "bf16x3", "bf16x6", "ieee"]
    for dtype, precisions in ((FP16, [None]), (BF16, [None]), (FP32, fp32_precisions), (FP64, [None]), (I8, [None]),
                              (FP8E5, [None]), (FP8E4NV, [None])):
        for precision in precisions:
            for m, n, k, warps in ((16, 16, 16, 4), (32, 32, 32, 4), (64, 64, 64, 4), (128, 256, 32, 8), (128, 16, 32, 4),
                                   (32, 128, 64, 4), (32, 128, 64, 2), (128, 128, 64, 4), (64, 128, 128, 4), (32, 32, 128, 16),
                                   (64, 64, 32, 1)):
                if (dtype.bits == 8 and k < 32) or (dtype is FP64 and m * n > 64 * 64):
                    continue
                name = f"{dtype.name}_{precision or 'any'}_{m}x{n}x{k}_{warps}"
                yield product(name, dtype, m, n, k, warps, precision)
    for m, n, k in ((16, 16, 16), (64, 64, 64), (128, 128, 32)):
        yield product(f"fp16_fp16_{m}x{n}x{k}", FP16, m, n, k, 4, out=FP16)


    # No instruction takes fp8e4b15: both factors become fp16 numbers.
    for left, right in (("e4b15", "e4b15"), ("e4b15", "e5"), ("e5", "e4b15")):
        factors = {name: Tensor(FP32, shape, ("integers", -1, 2)) for name, shape in (("a_ptr", (32, 32)), ("b_ptr", (32, 16)))}
        yield Case(f"dot_fp8_{left}_{right}", "dot", {**factors, "o_ptr": Tensor(FP32, (32, 16))},
                   f"""a = tl.load({block('a', 32, 32, 32, 1)}).to(tl.float16).to(tl.float8{left})
b = tl.load({block('b', 32, 16, 16, 1)}).to(tl.float16).to(tl.float8{right})
tl.store({block('o', 32, 16, 16, 1)}, tl.dot(a, b))""", lambda v: {"o_ptr": v.a_ptr @ v.b_ptr},
                   triton="fp8e4b15 is not for this target")


def order_cases():
    for dtype in (FP16, BF16, FP32, I8, FP8E5):
        for a in (False, True):
            for b in (False, True):
                yield product(f"orders_{dtype.name}_{'c' if a else 'r'}{'c' if b else 'r'}", dtype, 64, 64, 64, 4,
                              "ieee" if dtype is FP32 else None, transposed=(a, b))
    for dtype in (FP16, FP32, I8, FP64):
        yield product(f"accumulate_{dtype.name}", dtype, 64, 32, 32, 4, "ieee" if dtype is FP32 else None, accumulate=True,
                      out=FP64 if dtype is FP64 else FP32)


def epilogue_cases():
    rows = {"r_ptr": Tensor(FP32, (64,), ("normal", 1))}
    for dtype in (FP16, FP32):
        precision = "ieee" if dtype is FP32 else None
        name = f"{dtype.name}_"
        yield product(name + "rows", dtype, 64, 64, 64, 4, precision, extra=rows,
                      epilogue="d += tl.load(r_ptr + tl.arange(0, 64))[:, None]", finish=lambda c, v: c + v.r_ptr[:, None])
        yield product(name + "cols", dtype, 64, 64, 64, 4, precision, extra=rows,
                      epilogue="d += tl.load(r_ptr + tl.arange(0, 64))[None, :]", finish=lambda c, v: c + v.r_ptr[None, :])
        yield product(name + "transposed", dtype, 64, 64, 64, 4, precision, epilogue="d = tl.trans(d)",
                      finish=lambda c, v: c.T)

        def softmax(c, v):
            e = np.exp(c - c.max(1, keepdims=True))
            return e / e.sum(1, keepdims=True)

        yield product(name + "softmax", dtype, 128, 128, 64, 8, precision, finish=softmax, norm=1e-5, epilogue="""
e = tl.exp(d - tl.max(d, 1)[:, None])
d = e / tl.sum(e, 1)[:, None]""")
        second = {"w_ptr": Tensor(dtype, (64, 64), ("normal", 0.3))}
        more = ', input_precision="ieee"' if precision else ""
        yield product(name + "chain", dtype, 64, 64, 64, 4, precision, extra=second, norm=1e-6 if precision else 1e-3,
                      epilogue=f"w = tl.load({block('w', 64, 64, 64, 1)})\nd = tl.dot(d.to({dtype.language}), w{more})",
                      finish=lambda c, v: c.astype(v.w_ptr.dtype).astype(np.float64) @ v.w_ptr.astype(np.float64))


LOOP = """acc = tl.zeros((BM, BN), tl.float32)
m = tl.program_id(0) * BM + tl.arange(0, BM)
n = tl.program_id(1) * BN + tl.arange(0, BN)
for start in tl.range(0, K, BK, num_stages=STAGES):
    k = start + tl.arange(0, BK)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
    b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
    acc = tl.dot(a, b, acc)
tl.store(o_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))"""


def loop_cases():
    """Pipelined loops with every number of stages and of turns."""
    for dtype in (FP16, BF16, FP8E5):
        for stages in (1, 2, 3, 4, 5):
            for k in (32, 64, 96, 160, 161):
                if (dtype is not FP16 and stages not in (1, 3)) or (dtype is FP8E5 and k % 32):
                    continue
                args = {"a_ptr": Tensor(dtype, (70, k), ("normal", 0.3)), "b_ptr": Tensor(dtype, (k, 66), ("normal", 0.3)),
                        "o_ptr": Tensor(FP32, (70, 66)), "M": 70, "N": 66, "K": k}
                yield Case(f"dot_loop_{dtype.name}_{stages}_{k}", "dot loops", args, LOOP,
                           lambda v: {"o_ptr": v.a_ptr.astype(np.float64) @ v.b_ptr.astype(np.float64)},
                           rounded(dtype, 1e-6), {"BM": 64, "BN": 64, "BK": 32, "STAGES": stages}, grid=(2, 2),
                           options={"num_warps": 4})


STRIDED_LOOP = """row = tl.program_id(0) * BM + tl.arange(0, BM)
column = tl.program_id(1) * BN + tl.arange(0, BN)
k = tl.arange(0, BK)
a_block = a_ptr + a_first + (row % M)[:, None] * a_row + k[None, :] * a_column
b_block = b_ptr + k[:, None] * b_row + (column % N)[None, :] * b_column
acc = tl.zeros((BM, BN), tl.float32)
for start in tl.range(0, K, BK, num_stages=STAGES):
    a = tl.load(a_block, mask=k[None, :] < K - start, other=0.0)
    b = tl.load(b_block, mask=k[:, None] < K - start, other=0.0)
    acc = tl.dot(a, b, acc)
    a_block += BK * a_column
    b_block += BK * b_row
tl.store(o_ptr + row[:, None] * N + column[None, :], acc, mask=(row[:, None] < M) & (column[None, :] < N))"""


def strided_loop_cases():
    """Loops that move pointers by strides, over rows that wrap around: padded, transposed, from the last row to the first."""
    m, n, k, pad = 144, 80, 160, 16
    for dtype in (FP16, BF16, FP8E5):
        for kind in ("padded", "transposed", "reversed"):
            flip, back = kind == "transposed", kind == "reversed"
            if dtype is FP8E5 and flip:
                continue
            a_shape, b_shape = ((k, m + pad), (n, k + pad)) if flip else ((m, k + pad), (k, n + pad))
            a_row, b_row = (1, 1) if flip else (a_shape[1], b_shape[1])
            args = {"a_ptr": Tensor(dtype, a_shape, ("normal", 0.3)), "b_ptr": Tensor(dtype, b_shape, ("normal", 0.3)),
                    "o_ptr": Tensor(FP32, (m, n)), "M": m, "N": n, "K": k, "a_first": (m - 1) * a_row if back else 0,
                    "a_row": -a_row if back else a_row, "a_column": a_shape[1] if flip else 1,
                    "b_row": b_row, "b_column": b_shape[1] if flip else 1}

            def reference(v, flip=flip, back=back):
                a, b = v.a_ptr.astype(np.float64), v.b_ptr.astype(np.float64)
                a, b = (a.T[:m, :k], b.T[:k, :n]) if flip else ((a[::-1] if back else a)[:, :k], b[:, :n])
                return {"o_ptr": a @ b}

            for stages, (bm, bn, bk), warps in ((1, (64, 64, 32), 4), (3, (64, 64, 32), 4), (3, (128, 64, 64), 8)):
                yield Case(f"dot_strided_{dtype.name}_{kind}_{stages}_{bm}", "dot loops", args, STRIDED_LOOP, reference,
                           rounded(dtype, 1e-6), {"BM": bm, "BN": bn, "BK": bk, "STAGES": stages},
                           grid=(-(-m // bm), -(-n // bn)), options={"num_warps": warps})


def batch_cases():
    for dtype in (FP16, FP32, FP64):
        for batch, m, n, k in ((1, 32, 32, 32), (4, 16, 32, 16), (8, 32, 16, 32)):
            out = FP64 if dtype is FP64 else FP32
            args = {"a_ptr": Tensor(dtype, (batch, m, k), ("normal", 0.3)),
                    "b_ptr": Tensor(dtype, (batch, k, n), ("normal", 0.3)), "o_ptr": Tensor(out, (batch, m, n))}

            def cube(name, rows, cols, batch=batch):
                return (f"{name}_ptr + tl.arange(0, {batch})[:, None, None] * {rows * cols} + "
                        f"tl.arange(0, {rows})[None, :, None] * {cols} + tl.arange(0, {cols})[None, None, :]")

            precision = ', input_precision="ieee"' if dtype is FP32 else ""
            body = f"tl.store({cube('o', m, n)}, tl.dot(tl.load({cube('a', m, k)}), tl.load({cube('b', k, n)}){precision}))"
            yield Case(f"dot_batch_{dtype.name}_{batch}x{m}x{n}x{k}", "dot", args, body,
                       lambda v: {"o_ptr": v.a_ptr.astype(np.float64) @ v.b_ptr.astype(np.float64)},
                       Tolerance(norm=1e-13 if dtype is FP64 else 1e-6))


FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float64)


def unpack(packed):
    """Two numbers of a byte along the last dimension, the low half first."""
    codes = np.stack([packed & 15, packed >> 4], -1).reshape(*packed.shape[:-1], -1)
    return np.where(codes & 8, -1, 1) * FP4[codes & 7]


def scaled_cases():
    m, n, k = 64, 64, 128
    kinds = {"e2m1": (U8, 2), "e4m3": (FP8E4NV, 1), "e5m2": (FP8E5, 1), "bf16": (BF16, 1), "fp16": (FP16, 1)}
    for left, right in (("e2m1", "e2m1"), ("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e2m1", "e4m3"), ("e4m3", "e2m1"),
                        ("bf16", "e2m1"), ("e5m2", "bf16"), ("e4m3", "e5m2"), ("fp16", "e2m1")):
        for scaled in ("both", "left", "right"):
            a_type, a_pack = kinds[left]
            b_type, b_pack = kinds[right]
            data = {1: ("normal", 1), 2: ("integers", 0, 256)}
            args = {"a_ptr": Tensor(a_type, (m, k // a_pack), data[a_pack]),
                    "b_ptr": Tensor(b_type, (k // b_pack, n), data[b_pack]),
                    "s_ptr": Tensor(U8, (m, k // 32), ("integers", 120, 132)),
                    "t_ptr": Tensor(U8, (n, k // 32), ("integers", 120, 132)), "o_ptr": Tensor(FP32, (m, n))}
            # 16-bit operands have no scales.
            with_s = scaled in ("both", "left") and left not in ("bf16", "fp16")
            with_t = scaled in ("both", "right") and right not in ("bf16", "fp16")
            if not (with_s or with_t) or (scaled == "both") != (with_s and with_t):
                continue
            body = f"""a = tl.load({block('a', m, k // a_pack, k // a_pack, 1)})
b = tl.load({block('b', k // b_pack, n, n, 1)})
s = tl.load({block('s', m, k // 32, k // 32, 1)})
t = tl.load({block('t', n, k // 32, k // 32, 1)})
d = tl.dot_scaled(a, {'s' if with_s else None}, "{left}", b, {'t' if with_t else None}, "{right}")
tl.store({block('o', m, n, n, 1)}, d)"""

            def reference(v, a_pack=a_pack, b_pack=b_pack, with_s=with_s, with_t=with_t):
                a = unpack(v.a_ptr) if a_pack == 2 else v.a_ptr.astype(np.float64)
                b = unpack(v.b_ptr.T).T if b_pack == 2 else v.b_ptr.astype(np.float64)
                if with_s:
                    a = a * np.repeat(np.exp2(v.s_ptr.astype(np.float64) - 127), 32, 1)
                if with_t:
                    b = b * np.repeat(np.exp2(v.t_ptr.astype(np.float64) - 127), 32, 1).T
                return {"o_ptr": a @ b}

            yield Case(f"dot_scaled_{left}_{right}_{scaled}", "dot scaled", args, body, reference, Tolerance(norm=1e-5))


def cases():
    for make in (plain_cases, order_cases, epilogue_cases, loop_cases, strided_loop_cases, batch_cases, scaled_cases):
        yield from make()
