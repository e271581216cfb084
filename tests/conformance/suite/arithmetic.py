# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Operators: every ordered pair of types, every class of shapes, scalars and literals."""

import operator

import numpy as np

from .case import EXACT, EXACT_BUT_ZERO, Tolerance
from .convert import convert, fmod, maximum, minimum, settle, true_divide, truncating_divide
from .dtypes import BF16, FP16, FP32, FP64, I1, I32, INTS, NUMBERS, UINTS
from .elementwise import SHAPES, elementwise
from .promotion import literal_type, promote, promote_ints

# Division of fp32 is approximate on the GPU: two steps, and tiny results may be lost.
DIVISION = Tolerance(ulps=2, absolute=2e-38)

COMPARISONS = {"eq": ("==", operator.eq), "ne": ("!=", operator.ne), "lt": ("<", operator.lt),
               "le": ("<=", operator.le), "gt": (">", operator.gt), "ge": (">=", operator.ge)}


def both(values, a, b, common):
    return convert(values.x, a, common)[0], convert(values.y, b, common)[0]


def arithmetic(a, b):
    common = promote(a, b)

    def reference(values):
        x, y = both(values, a, b, common)
        return {"add": settle(x + y, common), "sub": settle(x - y, common), "mul": settle(x * y, common)}

    return {"add": ("x + y", common), "sub": ("x - y", common), "mul": ("x * y", common)}, reference, EXACT


def division(a, b):
    common = promote(a, b, division=True)
    if common is None:
        return None
    outputs = {"div": ("x / y", common if common.kind == "f" else FP32), "mod": ("x % y", common)}
    if common.kind != "f":
        outputs["floordiv"] = ("x // y", common)

    def reference(values):
        x, y = both(values, a, b, common)
        result = {"div": true_divide(x, y), "mod": fmod(x, y)}
        if common.kind != "f":
            result["floordiv"] = truncating_divide(x, y)
        return result

    return outputs, reference, DIVISION if outputs["div"][1] is FP32 else EXACT


def comparison(a, b):
    common = promote(a, b)

    def reference(values):
        x, y = both(values, a, b, common)
        return {name: function(x, y) for name, (_, function) in COMPARISONS.items()}

    return {name: (f"x {text} y", I1) for name, (text, _) in COMPARISONS.items()}, reference, EXACT


def selection(a, b):
    common = promote(a, b)
    wide = FP32 if BF16 in (a, b) and common is not FP64 else common

    def reference(values):
        x, y = both(values, a, b, common)
        even = np.arange(max(len(x), len(y))) % 2 == 0
        # bf16 is compared as fp32, so that with fp16 nothing is lost.
        p, q = both(values, a, b, wide)
        return {"largest": maximum(p, q), "smallest": minimum(p, q), "chosen": np.where(even, x, y)}

    return {"largest": ("tl.maximum(x, y)", wide), "smallest": ("tl.minimum(x, y)", wide),
            "chosen": ("tl.where(i % 2 == 0, x, y)", common)}, reference, EXACT_BUT_ZERO


def bitwise(a, b):
    if a.kind == "f" or b.kind == "f":
        return None
    common = promote_ints(a, b)

    def reference(values):
        x, y = both(values, a, b, common)
        return {"both": x & y, "either": x | y, "differ": x ^ y}

    return {"both": ("x & y", common), "either": ("x | y", common), "differ": ("x ^ y", common)}, reference, EXACT


FAMILIES = {"arithmetic": arithmetic, "division": division, "comparison": comparison, "selection": selection,
            "bitwise": bitwise}


def pair_cases():
    for family, make in FAMILIES.items():
        for a in NUMBERS:
            for b in NUMBERS:
                made = make(a, b)
                if made is None:
                    continue
                for shape in SHAPES if a is b else ["warps"]:
                    outputs, reference, tolerance = made
                    yield elementwise(f"{family}_{a.name}_{b.name}_{shape}", family, {"x": a, "y": b}, outputs,
                                      reference, shape, tolerance)
                if a is b:
                    for single in ("x", "y"):
                        yield elementwise(f"{family}_{a.name}_scalar_{single}", family, {"x": a, "y": b}, *made[:2],
                                          "warps", tolerance, scalars=[single])


def literal_cases():
    """`x op 3`: the number takes the tensor's type, except in comparisons, maximum and minimum."""
    for a in NUMBERS:
        for literal, suffix in ((3, "int"), (2.5, "real")):
            weak = a if isinstance(literal, int) or a.kind == "f" else FP32
            common = promote(a, literal_type(literal))
            wide = FP32 if common is BF16 else common
            divided = FP32 if a in (FP16, BF16) else weak
            outputs = {"add": (f"x + {literal}", weak), "rsub": (f"{literal} - x", weak),
                       "mul": (f"x * {literal}", weak),
                       "div": (f"x / {literal}", FP64 if a is FP64 else FP32), "mod": (f"x % {literal}", divided),
                       "lt": (f"x < {literal}", I1), "largest": (f"tl.maximum(x, {literal})", wide),
                       "chosen": (f"tl.where(x != x, {literal}, x)", weak)}

            def reference(values, a=a, literal=literal, weak=weak, common=common, divided=divided):
                x = convert(values.x, a, weak)[0]
                y = x.dtype.type(literal)
                wide_x = convert(values.x, a, divided)[0]
                wide_y = wide_x.dtype.type(literal)
                compared = convert(values.x, a, common)[0]
                z = compared.dtype.type(literal)
                return {"add": settle(x + y, weak), "rsub": settle(y - x, weak), "mul": settle(x * y, weak),
                        "div": true_divide(wide_x, wide_y), "mod": fmod(wide_x, np.full_like(wide_x, literal)),
                        "lt": compared < z, "largest": maximum(compared, z), "chosen": np.where(x != x, y, x)}

            yield elementwise(f"literal_{a.name}_{suffix}", "literal", {"x": a}, outputs, reference, "warps",
                              Tolerance(ulps=2, absolute=2e-38, any_zero=True))


def shift_cases():
    for a in INTS + UINTS:
        for b in UINTS:
            common = promote_ints(a, b)

            def reference(values, a=a, b=b, common=common):
                x = convert(values.x, a, common)[0]
                y = (values.y % a.bits).astype(common.storage)
                # The left operand as it was decides between arithmetic and logical shifts.
                kept = x.view(f"i{common.bits // 8}") if a.kind == "i" else x
                return {"left": x << y, "right": (kept >> y.astype(kept.dtype)).astype(x.dtype)}

            outputs = {"left": (f"x << (y % {a.bits})", common), "right": (f"x >> (y % {a.bits})", common)}
            yield elementwise(f"shift_{a.name}_{b.name}", "shift", {"x": a, "y": b}, outputs, reference)


def unary_cases():
    for a in NUMBERS:
        for shape in SHAPES:
            outputs = {"negative": ("-x", a), "magnitude": ("tl.abs(x)", a)}
            if a.kind != "f":
                outputs["inverse"] = ("~x", a)

            def reference(values, a=a):
                x = values.x
                # Unsigned numbers have no sign to drop.
                result = {"negative": -x, "magnitude": np.abs(x) if a.kind != "u" else x}
                if a.kind != "f":
                    result["inverse"] = ~x
                return result

            yield elementwise(f"unary_{a.name}_{shape}", "unary", {"x": a}, outputs, reference, shape, EXACT,
                              triton="" if a.kind != "f" else "-(+0.0) is +0.0 there")


def boolean_cases():
    def reference(values):
        x, y = values.x, values.y
        return {"both": x & y, "either": x | y, "differ": x ^ y, "inverse": ~x, "sum": x ^ y, "same": x == y,
                "number": x.astype(np.int32) + y, "chosen": np.where(x, 7, -7)}

    outputs = {"both": ("x & y", I1), "either": ("x | y", I1), "differ": ("x ^ y", I1), "inverse": ("~x", I1),
               "sum": ("x + y", I1), "same": ("x == y", I1), "number": ("x.to(tl.int32) + y", I32),
               "chosen": ("tl.where(x, 7, -7)", I32)}
    for shape in SHAPES:
        yield elementwise(f"boolean_{shape}", "boolean", {"x": I1, "y": I1}, outputs, reference, shape)


def nan_cases():
    """`propagate_nan` and `clamp`."""
    for a in (FP16, BF16, FP32, FP64):
        wide = FP32 if a is BF16 else a
        outputs = {"largest": ("tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)", wide),
                   "smallest": ("tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)", wide),
                   "clamped": ("tl.clamp(x, low, high)", wide),
                   "strict": ("tl.clamp(x, low, high, propagate_nan=tl.PropagateNan.ALL)", wide)}

        def reference(values):
            x, low, high = values.x, np.minimum(values.y, 1), np.maximum(values.y, 2)
            sane = ~np.isnan(values.y)
            clamped = np.fmin(np.fmax(x, low), high)
            return {"largest": np.maximum(x, values.y), "smallest": np.minimum(x, values.y),
                    "clamped": (clamped, sane), "strict": (np.where(np.isnan(x), x, clamped), sane)}

        setup = f"low = tl.minimum(y, 1.0).to({a.language})\nhigh = tl.maximum(y, 2.0).to({a.language})"
        yield elementwise(f"nan_{a.name}", "nan", {"x": a, "y": a}, outputs, reference, "warps", EXACT_BUT_ZERO, setup)


def cases():
    for make in (pair_cases, literal_cases, shift_cases, unary_cases, boolean_cases, nan_cases):
        yield from make()
