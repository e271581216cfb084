# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Creation and movement of data: everything must arrive bit for bit."""

import itertools
import math

import numpy as np

from .blocks import blocks
from .case import Case, Tensor, Tolerance
from .dtypes import BF16, FP16, FP32, FP64, FP8E4NV, FP8E5, I1, I16, I32, I64, I8, NUMBERS, U32

MOVED = [I8, I16, I32, I64, FP16, BF16, FP32, FP64, FP8E5]


def moved(name, dtype, shape, expression, out, function, **more):
    """One output of the input's type."""
    return blocks(f"{name}_{dtype.name}_{'x'.join(map(str, shape))}", "shape", {"x": (dtype, shape, "edges")},
                  {"out": (expression, dtype, out)}, lambda values: {"out": function(values.x)}, **more)


def transpose_cases():
    for dtype in MOVED:
        for shape in ((2, 4), (16, 16), (2, 128), (64, 32)):
            yield moved("trans", dtype, shape, "tl.trans(x)", shape[::-1], np.transpose)
    for shape in ((2, 2, 8, 64), (4, 4, 4, 16)):
        for order in itertools.permutations(range(4)):
            name = "permute_" + "".join(map(str, order))
            yield moved(name, I32 if shape[0] == 2 else I8, shape, f"tl.permute(x, {order})",
                        tuple(shape[d] for d in order), lambda x, order=order: x.transpose(order), warps=8)
    for order in itertools.permutations(range(3)):
        yield moved("trans_" + "".join(map(str, order)), FP16, (4, 8, 32), f"tl.trans(x, {', '.join(map(str, order))})",
                    tuple((4, 8, 32)[d] for d in order), lambda x, order=order: x.transpose(order))
    yield moved("property_T", FP32, (16, 64), "x.T", (64, 16), np.transpose)


RESHAPES = [((64,), (8, 8)), ((2, 32), (16, 4)), ((512,), (2,) * 9), ((64, 32), (16, 8, 16)), ((4, 8, 32), (1024,)),
            ((1,), (1, 1)), ((16,), (16, 1)), ((2048,), (4, 4, 128))]


def reshape_cases():
    for dtype in (I8, I32, FP16, FP64):
        for shape, out in RESHAPES:
            yield moved("reshape", dtype, shape, f"tl.reshape(x, {out})", out, lambda x, out=out: x.reshape(out))
    yield moved("reshape_varargs", I32, (64,), "x.reshape(4, 16)", (4, 16), lambda x: x.reshape(4, 16))
    yield moved("ravel", I32, (32, 8), "tl.ravel(x)", (256,), np.ravel)
    for axis, out in ((0, (1, 32)), (1, (32, 1)), (-1, (32, 1)), ((0, -1), (1, 32, 1)), ((0, 1, 3), (1, 1, 32, 1))):
        name = "expand_" + "_".join(str(a).replace("-", "m") for a in np.atleast_1d(axis))
        yield moved(name, I32, (32,), f"tl.expand_dims(x, {axis})", out, lambda x, out=out: x.reshape(out))
    for index, out in (("None, :", (1, 32)), (":, None", (32, 1)), ("None, :, None", (1, 32, 1))):
        name = "index_" + index.replace(", ", "").replace("None", "n").replace(":", "s")
        yield moved(name, FP32, (32,), f"x[{index}]", out, lambda x, out=out: x.reshape(out))
    for shape, out in (((1, 64), (32, 64)), ((32, 1), (32, 64)), ((1, 1), (16, 16)), ((4, 1, 32), (4, 8, 32))):
        for dtype in (I8, FP16, FP32, FP64):
            yield moved("broadcast_to", dtype, shape, f"tl.broadcast_to(x, {out})", out,
                        lambda x, out=out: np.broadcast_to(x, out))
    yield blocks("broadcast_pair", "shape", {"x": (I32, (32, 1), "edges"), "y": (I32, (1, 16), "edges")},
                 {"a": ("pair[0]", I32, (32, 16)), "b": ("pair[1]", I32, (32, 16)), "sum": ("x + y", I32, (32, 16))},
                 lambda v: {"a": np.broadcast_to(v.x, (32, 16)), "b": np.broadcast_to(v.y, (32, 16)), "sum": v.x + v.y},
                 setup="pair = tl.broadcast(x, y)")
    yield blocks("leading_dims", "shape", {"x": (FP32, (32, 64), "edges"), "y": (FP32, (64,), "edges")},
                 {"least": ("tl.minimum(x, y)", FP32, (32, 64))}, lambda v: {"least": np.fmin(v.x, v.y)},
                 Tolerance(any_zero=True))


def join_cases():
    for dtype in MOVED:
        for shape in ((1,), (128,), (16, 32)):
            two = {"x": (dtype, shape, "edges"), "y": (dtype, shape, "edges")}
            suffix = f"{dtype.name}_{'x'.join(map(str, shape))}"
            wide = shape[:-1] + (shape[-1] * 2,)
            yield blocks(f"join_{suffix}", "shape", two,
                         {"joined": ("tl.join(x, y)", dtype, shape + (2,)),
                          "mixed": ("tl.interleave(x, y)", dtype, wide)},
                         lambda v, wide=wide: {"joined": np.stack([v.x, v.y], -1),
                                               "mixed": np.stack([v.x, v.y], -1).reshape(wide)})
            yield blocks(f"split_{suffix}", "shape", {"x": (dtype, shape + (2,), "edges")},
                         {"a": ("parts[0]", dtype, shape), "b": ("parts[1]", dtype, shape)},
                         lambda v: {"a": v.x[..., 0], "b": v.x[..., 1]}, setup="parts = tl.split(x)")
    yield blocks("join_scalars", "shape", {"x": (I32, (), "edges"), "y": (I32, (), ("integers", 5, 9))},
                 {"joined": ("tl.join(x, y)", I32, (2,))}, lambda v: {"joined": np.concatenate([v.x, v.y])})
    for warps in (4, 8):
        yield blocks(f"cat_{warps}", "shape", {"x": (I32, (128,), "edges"), "y": (I32, (128,), "edges")},
                     {"out": ("tl.sort(tl.cat(x, y, can_reorder=True))", I32, (256,))},
                     lambda v: {"out": np.sort(np.concatenate([v.x, v.y]))}, warps=warps)
    for rank, shape in enumerate(((128,), (16, 32), (8, 16, 4)), 1):
        for dim in range(rank):
            out = tuple(2 * n if d == dim else n for d, n in enumerate(shape))
            yield blocks(f"cat_{rank}d_{dim}", "shape", {"x": (FP32, shape, "edges"), "y": (FP32, shape, "edges")},
                         {"out": (f"tl.cat(x, y, dim={dim})", FP32, out)},
                         lambda v, dim=dim: {"out": np.concatenate([v.x, v.y], dim)},
                         triton="concatenation along a dimension is newer")


def flip_cases():
    for dtype in (I32, FP16, FP32, BF16):
        for shape in ((1, 16, 64), (8, 2, 256), (32, 2, 1), (128, 8, 1)):
            for dim in (0, 1, 2, -2, None):
                name = f"flip_{str(dim).replace('-', 'm')}"
                yield moved(name, dtype, shape, f"tl.flip(x, {dim})", shape,
                            lambda x, dim=dim: np.flip(x, -1 if dim is None else dim),
                            triton="" if dim is not None else "a dimension is required there")


    yield blocks("flip_int1", "shape", {"x": (I32, (64,), ("integers", 0, 2))},
                 {"out": ("tl.flip(x > 0, 0).to(tl.int32)", I32, (64,))}, lambda v: {"out": v.x[::-1]})


def gather_cases():
    for dtype in (I8, I32, FP16, FP32, FP64):
        for source, index, axis in (((32,), (64,), 0), ((4, 4), (8, 4), 0), ((4, 4), (256, 4), 0),
                                    ((64, 32), (128, 32), 0), ((64, 32), (64, 64), 1), ((4, 8, 16), (4, 2, 16), 1),
                                    # Between the lanes of a warp, also with two registers along the axis, and of several warps.
                                    ((32,), (32,), 0), ((16, 8), (16, 8), 1), ((64, 32), (64, 32), 1), ((64, 64), (64, 64), 1),
                                    ((8, 64), (8, 64), 0), ((4, 8, 16), (4, 8, 16), 2)):
            yield blocks(f"gather_{dtype.name}_{'x'.join(map(str, source))}_{'x'.join(map(str, index))}_{axis}", "shape",
                         {"x": (dtype, source, "edges"), "at": (I32, index, ("integers", 0, source[axis]))},
                         {"out": (f"tl.gather(x, at, {axis})", dtype, index)},
                         lambda v, axis=axis: {"out": np.take_along_axis(v.x, v.at.astype(np.int64), axis)})


def histogram_cases():
    for count, bins in ((2048, 2), (1024, 8), (1024, 128), (256, 512), (32, 512), (8, 512), (8, 2)):
        def reference(v, bins=bins):
            inside = (v.x >= 0) & (v.x < bins)
            chosen = inside & (v.x % 3 != 0)
            return {"all": np.bincount(v.x[inside], minlength=bins), "some": np.bincount(v.x[chosen], minlength=bins)}

        yield blocks(f"histogram_{count}_{bins}", "shape", {"x": (I32, (count,), ("integers", -3, bins + 4))},
                     {"all": (f"tl.histogram(x, {bins})", I32, (bins,)),
                      "some": (f"tl.histogram(x, {bins}, mask=x % 3 != 0)", I32, (bins,))}, reference,
                     triton="values outside the bins are counted modulo their number")


def sort_cases():
    for dtype in (I8, I32, U32, I64, FP16, FP32, BF16):
        data = "edges" if dtype.kind != "f" else ("normal", 10)
        for shape in ((1, 1), (1, 512), (8, 64), (256, 16), (512, 8), (128,)):
            name = f"{dtype.name}_{'x'.join(map(str, shape))}"
            outputs = {"up": ("tl.sort(x)", dtype, shape), "down": ("tl.sort(x, descending=True)", dtype, shape)}
            yield blocks(f"sort_{name}", "sort", {"x": (dtype, shape, data)}, outputs,
                         lambda v: {"up": np.sort(v.x, -1), "down": np.flip(np.sort(v.x, -1), -1)}, warps=8)
            if shape[-1] < 8:
                continue
            top = shape[:-1] + (8,)
            yield blocks(f"topk_{name}", "sort", {"x": (dtype, shape, data)}, {"top": (f"tl.topk(x, 8).to({dtype.language})", dtype, top)},
                         lambda v: {"top": np.flip(np.sort(v.x, -1), -1)[..., :8]}, warps=8)


def creation_cases():
    for dtype in NUMBERS + [I1]:
        for shape in ((1,), (128,), (16, 32)):
            value = True if dtype is I1 else 7
            outputs = {"zeros": (f"tl.zeros({shape}, {dtype.language})", dtype, shape),
                       "full": (f"tl.full({shape}, {value}, {dtype.language})", dtype, shape),
                       "alike": ("tl.zeros_like(x)", dtype, shape), "given": (f"tl.full({shape}, s, {dtype.language})", dtype, shape)}
            yield blocks(f"create_{dtype.name}_{'x'.join(map(str, shape))}", "shape",
                         {"x": (dtype, shape, "edges"), "s": (dtype, (), ("integers", 0, 2))}, outputs,
                         lambda v, value=value: {"zeros": 0, "full": value, "alike": 0, "given": v.s[0]})
    for start in (0, 1, 7, 16):
        yield blocks(f"arange_{start}", "shape", {}, {"out": (f"tl.arange({start}, {start + 128})", I32, (128,))},
                     lambda v, start=start: {"out": np.arange(start, start + 128)})


def where_cases():
    for dtype in NUMBERS + [FP8E5, FP8E4NV]:
        for shape in ((1,), (1024,), (32, 64)):
            count = math.prod(shape)
            yield blocks(f"where_{dtype.name}_{'x'.join(map(str, shape))}", "shape",
                         {"x": (dtype, shape, "edges"), "y": (dtype, shape, "edges"), "c": (I1, shape, "edges")},
                         {"out": ("tl.where(c, x, y)", dtype, shape)},
                         lambda v, count=count: {"out": np.where(v.c, v.x, v.y)})
    args = {"x_ptr": Tensor(FP32, (64,), "edges"), "y_ptr": Tensor(FP32, (64,), "edges"), "o_ptr": Tensor(FP32, (64,))}
    yield Case("where_pointers", "shape", args,
               "i = tl.arange(0, 64)\np = tl.where(i % 3 == 0, x_ptr + i, y_ptr + i)\ntl.store(o_ptr + i, tl.load(p))",
               lambda v: {"o_ptr": np.where(np.arange(64) % 3 == 0, v.x_ptr, v.y_ptr)})


def swizzle_cases():
    def reference(v):
        ij = np.arange(64)
        i, j = ij // 8, ij % 8
        band = ij // (3 * 8) * 3
        height = np.minimum(8 - band, 3)
        # Inside a band the numbers run down the columns.
        r = (i * 8 + j) % (3 * 8)
        return {"a": band + r % height, "b": r // height}

    yield blocks("swizzle2d", "shape", {}, {"a": ("pair[0]", I32, (64,)), "b": ("pair[1]", I32, (64,))}, reference,
                 setup="i = tl.arange(0, 64)\npair = tl.swizzle2d(i // 8, i % 8, 8, 8, 3)")


HELPERS = '''
@triton.jit
def three_way(a, b):
    if a < b:
        return -1
    elif a == b:
        return 0
    else:
        return 1


@triton.jit
def quotient(a, b):
    return a // b, a % b


@triton.jit
def crossed(a, b, c, d, p, q, r, s):
    if a < b:
        return p, q, r, s, d, c, b, a
    else:
        return s, r, q, p, a, b, c, d
'''


def map_cases():
    for dtype in (I32, I64):
        yield blocks(f"map_{dtype.name}", "shape", {"x": (dtype, (256,), ("integers", 0, 5)), "y": (dtype, (256,), ("integers", 1, 5))},
                     {"order": ("tl.map_elementwise(three_way, x, y)", I32, (256,)),
                      "a": ("pair[0]", dtype, (256,)), "b": ("pair[1]", dtype, (256,))},
                     lambda v: {"order": np.sign(v.x - v.y), "a": v.x // v.y, "b": v.x % v.y},
                     setup="pair = tl.map_elementwise(quotient, x, y)", helpers=HELPERS)
    # Neighbors in memory order make a pack, however few elements a thread has.
    for warps in (1, 4, 16):
        for shape in ((32,), (256,), (16, 32), (64, 2)):
            yield blocks(f"map_packs_{'x'.join(map(str, shape))}_{warps}", "shape",
                         {"x": (I32, shape, ("integers", -50, 50)), "y": (FP32, shape, ("normal", 1))},
                         {"out": ("pair[0]", FP32, shape), "back": ("pair[1]", I32, shape)}, packs_crossed,
                         setup="pair = tl.map_elementwise(crossed, x, y, pack=4)", helpers=HELPERS, warps=warps)


def packs_crossed(v):
    x, y = v.x.reshape(-1, 4), v.y.reshape(-1, 4)
    rising = x[:, :1] < x[:, 1:2]
    return {"out": np.where(rising, y, y[:, ::-1]), "back": np.where(rising, x[:, ::-1], x)}


def cases():
    for make in (transpose_cases, reshape_cases, join_cases, flip_cases, gather_cases, histogram_cases, sort_cases,
                 creation_cases, where_cases, swizzle_cases, map_cases):
        yield from make()
