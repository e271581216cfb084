# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Mathematical functions of the language."""

import math

import numpy as np

from .blocks import blocks
from .case import EXACT, Tolerance
from .convert import kept
from .dtypes import FP16, FP32, FP64, I32, I64, U32, U64
from .elementwise import SHAPES, elementwise

erf = np.vectorize(math.erf, otypes=[np.float64])

# Tiny results may be lost to zero, and tiny arguments may count as zero.
FLUSHED = 2.4e-38
# name -> (reference in float64, tolerance for fp32, data)
UNARY = {
    "exp": (np.exp, Tolerance(relative=1e-5, absolute=FLUSHED), "edges"),
    "exp2": (np.exp2, Tolerance(ulps=4, absolute=FLUSHED), "edges"),
    "log": (np.log, Tolerance(ulps=4), "edges"),
    "log2": (np.log2, Tolerance(ulps=4, absolute=2e-7), "edges"),
    "sin": (np.sin, Tolerance(ulps=4, absolute=FLUSHED), "edges"),
    "cos": (np.cos, Tolerance(ulps=4), "edges"),
    "sqrt": (np.sqrt, Tolerance(ulps=2, absolute=1.1e-19), "edges"),
    "rsqrt": (lambda x: 1 / np.sqrt(x), Tolerance(ulps=4), "edges"),
    "erf": (erf, Tolerance(ulps=4, absolute=FLUSHED), "edges"),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), Tolerance(relative=1e-5, absolute=FLUSHED), "edges"),
    "floor": (np.floor, EXACT, "edges"),
    "ceil": (np.ceil, EXACT, "edges"),
}


def unary_cases():
    for name, (function, tolerance, data) in UNARY.items():
        for dtype in (FP32, FP64):
            for shape in SHAPES:
                loose = tolerance if dtype is FP32 or tolerance is EXACT else Tolerance(ulps=8, absolute=1e-300)

                def reference(values, function=function, name=name):
                    return {"out": (function(values.x.astype(np.float64)), kept(values.x) | (name != "rsqrt"))}

                yield elementwise(f"{name}_{dtype.name}_{shape}", "math", {"x": (dtype, data)},
                                  {"out": (f"tl.{name}(x)", dtype)}, reference, shape, loose)
    methods = [name for name in UNARY if name != "sigmoid"]
    outputs = {name: (f"x.{name}()", FP32) for name in methods}
    yield elementwise("math_methods", "math", {"x": (FP32, ("uniform", 0.5, 20))}, outputs,
                      lambda values: {name: UNARY[name][0](values.x.astype(np.float64)) for name in methods},
                      "warps", Tolerance(relative=1e-5))


def binary_cases():
    for shape in SHAPES:
        yield elementwise(f"fdiv_{shape}", "math", {"x": FP32, "y": FP32},
                          {"fast": ("tl.fdiv(x, y)", FP32)},
                          lambda values: {"fast": values.x / values.y}, shape, Tolerance(ulps=2, absolute=FLUSHED))
        yield elementwise(f"div_rn_{shape}", "math", {"x": FP32, "y": FP32},
                          {"rounded": ("tl.fdiv(x, y, ieee_rounding=True)", FP32), "exact": ("tl.div_rn(x, y)", FP32)},
                          lambda values: {"rounded": values.x / values.y, "exact": values.x / values.y}, shape, EXACT)
        yield elementwise(f"sqrt_rn_{shape}", "math", {"x": FP32}, {"exact": ("tl.sqrt_rn(x)", FP32)},
                          lambda values: {"exact": np.sqrt(values.x)}, shape, EXACT)
        yield elementwise(f"cdiv_{shape}", "math", {"x": (I32, ("integers", 0, 100000)), "y": (I32, ("integers", 1, 99))},
                          {"out": ("tl.cdiv(x, y)", I32)}, lambda values: {"out": -(-values.x // values.y)}, shape)
    for dtype in (FP16, FP32, FP64):
        def fused(values, dtype=dtype):
            wide = np.longdouble if dtype is FP64 else np.float64
            x, y, z = (v.astype(wide) for v in (values.x, values.y, values.z))
            return {"out": (x * y + z).astype(np.float64)}

        yield elementwise(f"fma_{dtype.name}", "math", {"x": (dtype, ("normal", 3)), "y": (dtype, ("normal", 3)),
                                                        "z": (dtype, ("normal", 9))},
                          {"out": ("tl.fma(x, y, z)", dtype)}, fused, "warps", Tolerance(ulps=1))
    for dtype in (I32, U32, I64, U64):
        def high(values, dtype=dtype):
            unsigned = f"u{dtype.bits // 8}"
            x, y = values.x.view(unsigned).astype(object), values.y.view(unsigned).astype(object)
            return {"out": ((x * y) >> dtype.bits).astype(unsigned).view(dtype.storage)}

        yield elementwise(f"umulhi_{dtype.name}", "math", {"x": dtype, "y": dtype},
                          {"out": ("tl.umulhi(x, y)", dtype)}, high)


def softmax_cases():
    for shape, dim in (((1024,), 0), ((32, 64), 0)):
        def reference(values, dim=dim):
            x = values.x.astype(np.float64)
            e = np.exp(x - x.max(axis=dim, keepdims=True))
            return {"out": e / e.sum(axis=dim, keepdims=True)}

        yield blocks(f"softmax_{len(shape)}d", "math", {"x": (FP32, shape, ("normal", 3))},
                     {"out": ("tl.softmax(x)", FP32, shape)}, reference, Tolerance(relative=1e-5, absolute=1e-9))


def cases():
    for make in (unary_cases, binary_cases, softmax_cases):
        yield from make()
