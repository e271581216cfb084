# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Loads, stores, block pointers and descriptors."""

import numpy as np

from .case import Case, Tensor
from .dtypes import BF16, FP16, FP32, FP8E4NV, FP8E5, I1, I16, I32, I8, NUMBERS

ANY = NUMBERS + [I1, FP8E5, FP8E4NV]


def masked_cases():
    for dtype in ANY:
        for count in (1, 100, 125, 127, 128):
            for other in (None, 0, 1):
                if other is not None and dtype in (FP8E5, FP8E4NV):
                    continue
                args = {"x_ptr": Tensor(dtype, (128,), "edges"), "o_ptr": Tensor(dtype, (128,)), "n": count}
                given = "" if other is None else f", other={other}"
                body = (f"i = tl.arange(0, 128)\nx = tl.load(x_ptr + i, mask=i < n{given})\n"
                        "tl.store(o_ptr + i, x)")

                def reference(v, other=other):
                    filled = v.x_ptr.copy()
                    filled[v.n:] = other or 0
                    # Without `other` the rest is undefined; zero is what everybody relies on.
                    return {"o_ptr": filled}

                name = f"masked_{dtype.name}_{count}_{'none' if other is None else other}"
                yield Case(name, "memory", args, body, reference)


def pattern_cases():
    for dtype in ANY:
        args = {"x_ptr": Tensor(dtype, (1024,), "edges"), "a_ptr": Tensor(dtype, (512,)), "b_ptr": Tensor(dtype, (1024,)),
                "c_ptr": Tensor(dtype, (512,))}
        body = """i = tl.arange(0, 512)
tl.store(a_ptr + i, tl.load(x_ptr + (511 - i)))
tl.store(b_ptr + 2 * i, tl.load(x_ptr + 2 * i + 1))
j = tl.load(x_ptr + i * 0)
tl.store(c_ptr + i, j)"""

        def reference(v):
            spread = v.b_ptr.copy()
            spread[::2] = v.x_ptr[1::2]
            return {"a_ptr": v.x_ptr[511::-1], "b_ptr": spread, "c_ptr": v.x_ptr[0]}

        yield Case(f"patterns_{dtype.name}", "memory", args, body, reference)
        args = {"x_ptr": Tensor(dtype, (4,), "edges"), "o_ptr": Tensor(dtype, (4,)), "flag": 1}
        body = """tl.store(o_ptr, tl.load(x_ptr))
tl.store(o_ptr + 1, tl.load(x_ptr + 1, mask=flag > 5, other=1))
tl.store(o_ptr + 2, tl.load(x_ptr + 2), mask=flag > 5)
tl.store(o_ptr + 3, tl.load(x_ptr + 3, mask=flag < 5), mask=flag < 5)"""
        if dtype not in (FP8E5, FP8E4NV):
            yield Case(f"scalar_memory_{dtype.name}", "memory", args, body,
                       lambda v: {"o_ptr": np.where([1, 0, 0, 1], v.x_ptr, np.where([0, 1, 0, 0], v.x_ptr.dtype.type(1), v.o_ptr))})
            args = {"o_ptr": Tensor(dtype, (128,)), "p_ptr": Tensor(dtype, (128,)), "n": 77}
            yield Case(f"store_constant_{dtype.name}", "memory", args,
                       "i = tl.arange(0, 128)\ntl.store(o_ptr + i, 1)\ntl.store(p_ptr + i, 0, mask=i < n)",
                       lambda v: {"o_ptr": 1, "p_ptr": np.where(np.arange(128) < 77, 0, v.p_ptr)})
    for modifier in ("", ".ca", ".cg", ".cv"):
        for policy in ("", "evict_first", "evict_last"):
            store = {"": "", ".ca": ".wb", ".cg": ".cg", ".cv": ".wt"}[modifier]
            args = {"x_ptr": Tensor(FP32, (256,), "edges"), "o_ptr": Tensor(FP32, (256,))}
            body = (f'i = tl.arange(0, 256)\nx = tl.load(x_ptr + i, cache_modifier="{modifier}", '
                    f'eviction_policy="{policy}", volatile={modifier == ".cv" and not policy})\n'
                    f'tl.store(o_ptr + i, x, cache_modifier="{store}", eviction_policy="{policy}")')
            yield Case(f"cache_{modifier.strip('.') or 'none'}_{policy or 'none'}", "memory", args, body,
                       lambda v: {"o_ptr": v.x_ptr})
    # Sizes at which accesses can and cannot be made wide.
    for n in (16, 10, 11, 1000, 1024):
        for warps in (1, 4, 8):
            args = {"x_ptr": Tensor(FP32, (2 * n,), "edges"), "o_ptr": Tensor(FP32, (2 * n,)), "n": n}
            body = ("i = tl.arange(0, 1024)\nbase = tl.program_id(0) * n\n"
                    "tl.store(o_ptr + base + i, tl.load(x_ptr + base + i, mask=i < n), mask=i < n)")
            yield Case(f"width_{n}_{warps}", "memory", args, body, lambda v: {"o_ptr": v.x_ptr}, grid=(2,),
                       options={"num_warps": warps})


def program_cases():
    args = {"o_ptr": Tensor(I32, (11 * 5 * 3, 6))}
    body = """x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
at = o_ptr + ((z * tl.num_programs(1) + y) * tl.num_programs(0) + x) * 6
tl.store(at, x)
tl.store(at + 1, y)
tl.store(at + 2, z)
tl.store(at + 3, tl.num_programs(0))
tl.store(at + 4, tl.num_programs(1))
tl.store(at + 5, tl.num_programs(2))"""

    def reference(v):
        z, y, x = np.meshgrid(np.arange(3), np.arange(5), np.arange(11), indexing="ij")
        return {"o_ptr": np.stack([x.ravel(), y.ravel(), z.ravel()] + [np.full(165, e) for e in (11, 5, 3)], 1)}

    yield Case("programs", "memory", args, body, reference, grid=(11, 5, 3))


BLOCK_POINTER = """p = tl.make_block_ptr(x_ptr, (rows, cols), (cols, 1), (ROW, COL), (16, 32), (1, 0))
q = tl.make_block_ptr(o_ptr, (rows, cols), (cols, 1), (ROW, COL), (16, 32), (1, 0))
v = tl.load(p, boundary_check=(0, 1), padding_option="PADDING")
tl.store(q, v, boundary_check=(0, 1))
w = tl.load(tl.advance(p, (8, 0)), boundary_check=(0, 1), padding_option="PADDING")
r = tl.make_block_ptr(w_ptr, (16, 32), (32, 1), (0, 0), (16, 32), (1, 0))
tl.store(r, w)"""


def block_pointer_cases():
    for dtype in (I16, I32, FP16, FP32, BF16):
        for row, col in ((0, 0), (10, 20), (-8, -16), (40, 0)):
            for padding in ("zero", "nan"):
                if padding == "nan" and dtype.kind != "f":
                    continue
                args = {"x_ptr": Tensor(dtype, (20, 40), "edges"), "o_ptr": Tensor(dtype, (20, 40)),
                        "w_ptr": Tensor(dtype, (16, 32)), "rows": 20, "cols": 40}
                body = (BLOCK_POINTER.replace("ROW", str(row)).replace("COL", str(col)).replace("PADDING", padding))

                def reference(v, row=row, col=col, padding=padding):
                    def window(first_row):
                        r, c = first_row + np.arange(16)[:, None], col + np.arange(32)[None, :]
                        inside = (r >= 0) & (r < 20) & (c >= 0) & (c < 40)
                        fill = np.nan if padding == "nan" else 0
                        return np.where(inside, v.x_ptr[r.clip(0, 19), c.clip(0, 39)], fill), inside

                    copied = v.o_ptr.copy()
                    r, c = row + np.arange(16)[:, None], col + np.arange(32)[None, :]
                    inside = (r >= 0) & (r < 20) & (c >= 0) & (c < 40)
                    rr, cc = np.broadcast_arrays(r, c)
                    copied[rr[inside], cc[inside]] = v.x_ptr[rr[inside], cc[inside]]
                    return {"o_ptr": copied, "w_ptr": window(row + 8)[0]}

                where = f"{row}_{col}".replace("-", "m")
                yield Case(f"block_ptr_{dtype.name}_{where}_{padding}", "block pointers", args, body, reference)


    args = {"x_ptr": Tensor(FP32, (64,), "edges"), "o_ptr": Tensor(FP16, (64,))}
    body = """p = tl.make_block_ptr(x_ptr, (64,), (1,), (0,), (64,), (0,))
q = tl.make_block_ptr(o_ptr, (64,), (1,), (0,), (64,), (0,))
tl.static_assert(q.dtype.element_ty.element_ty == tl.float16)
v = tl.load(p).to(q.type.element_ty.element_ty)
tl.store(q, (v * 1).to(q.dtype.element_ty))"""
    yield Case("block_ptr_element_type", "block pointers", args, body,
               lambda v: {"o_ptr": v.x_ptr.astype(np.float16)})


def descriptor_cases():
    for dtype in (I8, I16, I32, FP16, BF16, FP32, FP8E5):
        for rows, cols in ((2, 16), (8, 32), (32, 128)):
            if cols * dtype.bits // 8 < 16:
                continue
            args = {"x_ptr": Tensor(dtype, (48, 160), "edges"), "o_ptr": Tensor(dtype, (48, 160)), "n": 48, "m": 160}
            body = f"""d = tl.make_tensor_descriptor(x_ptr, [n, m], [m, 1], [{rows}, {cols}])
e = tl.make_tensor_descriptor(o_ptr, [n, m], [m, 1], [{rows}, {cols}])
r = tl.program_id(0) * {rows}
c = tl.program_id(1) * {cols}
e.store([r, c], d.load([r, c]))"""
            yield Case(f"descriptor_{dtype.name}_{rows}x{cols}", "descriptors", args, body,
                       lambda v: {"o_ptr": v.x_ptr}, grid=(-(-48 // rows), -(-160 // cols), 1))
    args = {"x_ptr": Tensor(FP32, (40, 32), "edges"), "o_ptr": Tensor(FP32, (64, 32)), "n": 40}
    for padding in ("zero", "nan"):
        body = f"""d = tl.make_tensor_descriptor(x_ptr, [n, 32], [32, 1], [64, 32], padding_option="{padding}")
v = d.load([0, 0])
tl.store(o_ptr + tl.arange(0, 64)[:, None] * 32 + tl.arange(0, 32)[None, :], v)"""

        def reference(v, padding=padding):
            out = np.full((64, 32), np.nan if padding == "nan" else 0, np.float32)
            out[:40] = v.x_ptr
            return {"o_ptr": out}

        yield Case(f"descriptor_padding_{padding}", "descriptors", args, body, reference)


def cases():
    for make in (masked_cases, pattern_cases, program_cases, block_pointer_cases, descriptor_cases):
        yield from make()
