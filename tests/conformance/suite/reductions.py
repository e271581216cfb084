# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Reductions and scans along every axis."""

import numpy as np

from .blocks import blocks
from .case import EXACT, EXACT_BUT_ZERO, Tolerance
from .dtypes import BF16, FLOATS, FP16, FP32, FP64, I1, I32, I64, INTS, NUMBERS, U32, UINTS

SHAPES = [(1,), (16,), (1024,), (1, 64), (32, 64), (64, 8), (4, 8, 32)]
SUM = {"fp16": Tolerance(relative=0.02, absolute=0.2), "bf16": Tolerance(relative=0.05, absolute=1.0),
       "fp32": Tolerance(relative=1e-5, absolute=1e-4), "fp64": Tolerance(relative=1e-12, absolute=1e-12)}


def widened(dtype):
    """The type of a sum."""
    if dtype.kind == "f" or dtype.bits >= 32:
        return dtype
    return I32 if dtype.kind == "i" else U32


def axes_of(shape):
    return [*range(len(shape)), None] if len(shape) > 1 else [0]


def label(shape, axis):
    return "x".join(map(str, shape)) + ("_all" if axis is None else f"_{axis}")


def reduced(shape, axis, keep=False):
    if axis is None:
        return (1,) * len(shape) if keep else ()
    return tuple(1 if keep and d == axis else n for d, n in enumerate(shape) if keep or d != axis)


def sum_cases():
    for dtype in [I1] + NUMBERS:
        data = ("normal", 1) if dtype.kind == "f" else "edges"
        for shape in SHAPES:
            for axis in axes_of(shape):
                wide = widened(dtype)

                def reference(values, axis=axis, wide=wide):
                    x = values.x
                    if wide.kind == "f":
                        return {"out": np.sum(x.astype(np.float64), axis=axis)}
                    return {"out": np.sum(x.astype(wide.storage), axis=axis, dtype=wide.storage)}

                yield blocks(f"sum_{dtype.name}_{label(shape, axis)}", "reduce", {"x": (dtype, shape, data)},
                             {"out": (f"tl.sum(x, axis={axis})", wide, reduced(shape, axis))}, reference,
                             SUM.get(dtype.name, EXACT))


def extreme_cases():
    for dtype in NUMBERS:
        for shape in SHAPES:
            for axis in axes_of(shape):
                wide = FP32 if dtype.kind == "f" and dtype.bits < 32 else I32 if dtype.bits < 32 else dtype
                # Unsigned integers of less than 32 bits become signed ones, with the same numbers.
                out = reduced(shape, axis)

                def reference(values, axis=axis):
                    x = values.x
                    largest, smallest = (np.fmax, np.fmin) if x.dtype.kind == "f" else (np.maximum, np.minimum)
                    return {"large": largest.reduce(x, axis=axis), "small": smallest.reduce(x, axis=axis)}

                yield blocks(f"extremes_{dtype.name}_{label(shape, axis)}", "reduce", {"x": (dtype, shape, "edges")},
                             {"large": (f"tl.max(x, axis={axis})", wide, out),
                              "small": (f"tl.min(x, axis={axis})", wide, out)}, reference, EXACT_BUT_ZERO)


def index_cases():
    """Few different numbers, so that there are ties: the smallest index counts."""
    for dtype in NUMBERS:
        for shape in SHAPES:
            for axis in range(len(shape)):
                out = reduced(shape, axis)
                value = FP32 if dtype is BF16 else dtype

                def reference(values, axis=axis):
                    x = values.x
                    return {"first": np.argmax(x, axis), "least": np.argmin(x, axis), "top": np.max(x, axis),
                            "at": np.argmax(x, axis)}

                yield blocks(f"indices_{dtype.name}_{label(shape, axis)}", "reduce",
                             {"x": (dtype, shape, ("integers", 0, 9))},
                             {"first": (f"tl.argmax(x, axis={axis})", I32, out),
                              "least": (f"tl.argmin(x, axis={axis})", I32, out),
                              "top": ("pair[0]", value, out), "at": ("pair[1]", I32, out)}, reference,
                             setup=f"pair = tl.max(x, axis={axis}, return_indices=True)")


def tie_cases():
    """Which of the largest is found is left open, but all threads must have found the same."""
    for shape, axis, warps in (((8, 16), 1, 4), ((32, 8), 0, 4), ((2048,), 0, 8), ((64, 64), 1, 1)):
        out = reduced(shape, axis)
        lines = tuple(size if dim == axis else 1 for dim, size in enumerate(shape))
        setup = f"""at = tl.argmax(x, axis={axis}, tie_break_left=False, keep_dims=True)
chosen = tl.arange(0, {shape[axis]}).reshape({lines}) == at"""
        yield blocks(f"ties_{label(shape, axis)}_{warps}", "reduce", {"x": (I32, shape, ("integers", 0, 4))},
                     {"count": (f"tl.sum(chosen.to(tl.int32), axis={axis})", I32, out),
                      "top": (f"tl.sum(tl.where(chosen, x, 0), axis={axis})", I32, out)},
                     lambda v, axis=axis: {"count": np.ones_like(v.x.max(axis)), "top": v.x.max(axis)},
                     setup=setup, warps=warps)


def bit_cases():
    for dtype in INTS + UINTS:
        for shape, axis in (((1024,), 0), ((32, 64), 1), ((4, 8, 32), 1)):
            out = reduced(shape, axis)
            yield blocks(f"bits_{dtype.name}_{label(shape, axis)}", "reduce", {"x": (dtype, shape, "edges")},
                         {"parity": (f"tl.xor_sum(x, axis={axis})", dtype, out),
                          "any": (f"tl.reduce_or(x, axis={axis})", dtype, out)},
                         lambda values, axis=axis: {"parity": np.bitwise_xor.reduce(values.x, axis),
                                                    "any": np.bitwise_or.reduce(values.x, axis)})


def keep_cases():
    for shape in ((32, 64), (4, 8, 32)):
        for axis in axes_of(shape):
            out = reduced(shape, axis, keep=True)
            outputs = {name: (f"tl.{name}(x, axis={axis}, keep_dims=True)", FP32, out) for name in ("sum", "max", "min")}

            def reference(values, axis=axis):
                x = values.x
                return {"sum": x.astype(np.float64).sum(axis, keepdims=True), "max": x.max(axis, keepdims=True),
                        "min": x.min(axis, keepdims=True)}

            yield blocks(f"keep_dims_{label(shape, axis)}", "reduce", {"x": (FP32, shape, ("normal", 1))}, outputs,
                         reference, SUM["fp32"])


HELPERS = '''
@triton.jit
def product(a, b):
    return a * b


@triton.jit
def welford(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    ratio = weight_2 / weight
    return mean_1 + delta * ratio, m2_1 + m2_2 + delta * delta * weight_1 * ratio, weight


@triton.jit
def linear(a_1, b_1, a_2, b_2):
    return a_1 * a_2, b_1 * a_2 + b_2


@triton.jit
def first(a, b):
    return a


@triton.jit
def larger(a, i, b, j):
    keep = a > b
    return tl.where(keep, a, b), tl.where(keep, i, j)
'''


def custom_cases():
    for dtype in (I32, I64, FP32, FP64):
        for shape, axis in (((16,), 0), ((32, 64), 0), ((32, 64), 1), ((4, 8, 32), 2)):
            data = ("integers", -3, 4) if dtype.kind == "i" else ("uniform", 0.9, 1.1)
            yield blocks(f"product_{dtype.name}_{label(shape, axis)}", "reduce", {"x": (dtype, shape, data)},
                         {"out": (f"tl.reduce(x, {axis}, product)", dtype, reduced(shape, axis))},
                         lambda values, axis=axis: {"out": np.multiply.reduce(values.x, axis)},
                         EXACT if dtype.kind == "i" else Tolerance(relative=1e-4), helpers=HELPERS)
    for shape, axis in (((512,), 0), ((32, 64), 1), ((64, 8), 0)):
        out = reduced(shape, axis)

        def reference(values, axis=axis, shape=shape):
            x = values.x.astype(np.float64)
            return {"mean": x.mean(axis), "spread": x.var(axis) * shape[axis], "weight": float(shape[axis])}

        yield blocks(f"welford_{label(shape, axis)}", "reduce", {"x": (FP32, shape, ("normal", 2))},
                     {"mean": ("moments[0]", FP32, out), "spread": ("moments[1]", FP32, out),
                      "weight": ("moments[2]", FP32, out)}, reference, Tolerance(relative=1e-4, absolute=1e-5),
                     setup=f"moments = tl.reduce((x, tl.zeros_like(x), tl.full({list(shape)}, 1.0, tl.float32)), {axis}, welford)",
                     helpers=HELPERS)
    # As one reduction in a chain of them, over a permuted block.
    yield blocks("chained_permuted", "reduce", {"x": (I32, (4, 32, 16, 4, 2), ("integers", -9, 9))},
                 {"out": ("tl.sum(tl.sum(tl.sum(tl.permute(x, (2, 1, 0, 3, 4)), 3), 1), 0)", I32, (4, 2))},
                 lambda values: {"out": values.x.transpose(2, 1, 0, 3, 4).sum(3).sum(1).sum(0)})
    yield blocks("sum_of_ones", "reduce", {"x": (I1, (1024,), np.ones(1024))},
                 {"wide": ("tl.sum(x, 0)", U32, ()), "narrow": ("tl.sum(x, 0, dtype=tl.int1)", I1, ())},
                 lambda values: {"wide": 1024, "narrow": False})


SCANS = [((1,), 0), ((16,), 0), ((1024,), 0), ((8, 32), 0), ((8, 32), 1), ((32, 16), 0), ((2, 1024), 1), ((1024, 2), 0),
         ((4, 8, 32), 1)]


def running(function, x, axis, reverse):
    x = np.flip(x, axis) if reverse else x
    result = function.accumulate(x, axis)
    return np.flip(result, axis) if reverse else result


def scan_cases():
    for dtype in NUMBERS:
        wide, product_type = (FP32 if dtype is BF16 else widened(dtype)), FP32 if dtype is BF16 else dtype
        data = ("normal", 1) if dtype.kind == "f" else "edges"
        factor = ("uniform", 0.8, 1.2) if dtype.kind == "f" else ("integers", 0, 4)
        for shape, axis in SCANS:
            for reverse in (False, True):
                if reverse and dtype.bits in (8, 16) and dtype is not FP16:
                    continue

                def reference(values, wide=wide, axis=axis, reverse=reverse):
                    accumulator = np.float64 if wide.kind == "f" else wide.storage
                    return {"sums": running(np.add, values.x.astype(accumulator), axis, reverse),
                            "products": running(np.multiply, values.y if values.y.dtype.kind != "f"
                                                else values.y.astype(np.float64), axis, reverse)}

                tolerance = SUM[dtype.name] if dtype.kind == "f" else EXACT
                if dtype is FP16 or dtype is BF16:
                    tolerance = Tolerance(relative=0.2, absolute=0.6)
                elif dtype is FP32:
                    tolerance = Tolerance(relative=1e-3, absolute=1e-4)
                suffix = "_reverse" if reverse else ""
                yield blocks(f"scan_{dtype.name}_{label(shape, axis)}{suffix}", "scan",
                             {"x": (dtype, shape, data), "y": (dtype, shape, factor)},
                             {"sums": (f"tl.cumsum(x, {axis}, reverse={reverse})", wide, shape),
                              "products": (f"tl.cumprod(y, {axis}, reverse={reverse})", product_type, shape)},
                             reference, tolerance)


def custom_scan_cases():
    for shape, axis in SCANS:
        for reverse in (False, True):
            def reference(values, axis=axis, reverse=reverse):
                x = np.flip(values.x, axis) if reverse else values.x
                y = np.flip(values.y, axis) if reverse else values.y
                a, b = np.array(x), np.array(y)
                a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
                for k in range(1, len(a)):
                    a[k], b[k] = a[k - 1] * a[k], b[k - 1] * a[k] + b[k]
                a, b = np.moveaxis(a, 0, axis), np.moveaxis(b, 0, axis)
                head = np.broadcast_to(np.take(x, [0], axis), x.shape)
                back = (lambda v: np.flip(v, axis)) if reverse else (lambda v: v)
                return {"scale": back(a), "offset": back(b), "head": back(head)}

            extra = f"reverse={reverse}"
            yield blocks(f"recurrence_{label(shape, axis)}{'_reverse' if reverse else ''}", "scan",
                         {"x": (I32, shape, ("integers", -3, 4)), "y": (I32, shape, ("integers", -9, 9))},
                         {"scale": ("pair[0]", I32, shape), "offset": ("pair[1]", I32, shape),
                          "head": (f"tl.associative_scan(x, {axis}, first, {extra})", I32, shape)}, reference,
                         setup=f"pair = tl.associative_scan((x, y), {axis}, linear, {extra})", helpers=HELPERS)


def cases():
    for make in (sum_cases, extreme_cases, index_cases, tie_cases, bit_cases, keep_cases, custom_cases, scan_cases,
                 custom_scan_cases):
        yield from make()
