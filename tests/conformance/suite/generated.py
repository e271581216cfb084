# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What kernels that PyTorch's compiler generates call besides the language's own functions."""

import numpy as np

from .blocks import blocks
from .case import EXACT, Case, Tensor, Tolerance
from .dtypes import FP32, I1, I32, I64
from .elementwise import elementwise

HELPERS = '''
from torch._inductor.runtime import triton_helpers
from torch._inductor.runtime.triton_helpers import math as tl_math
'''
CLOSE = Tolerance(relative=1e-5, absolute=1e-5)


def with_nans(shape):
    """Few different numbers, and some NaNs."""
    generator = np.random.Generator(np.random.PCG64(7))
    data = generator.integers(-3, 4, shape).astype(np.float32)
    return np.where(generator.integers(0, 40, shape) == 0, np.float32(np.nan), data)


def pair_cases():
    for dtype in (I32, I64):
        data = (dtype, ("integers", -1000, 1000)), (dtype, np.resize([1, -1, 7, -7, 128, -3], 1024))
        for name, function in (("div_floor_integer", np.floor_divide), ("remainder_integer", np.mod)):
            yield elementwise(f"generated_{name}_{dtype.name}", "generated", {"x": data[0], "y": data[1]},
                              {"out": (f"triton_helpers.{name}(x, y)", dtype)},
                              lambda v, f=function: {"out": f(v.x, v.y)}, helpers=HELPERS)
    for dtype in (FP32, I32):
        for name, function in (("minimum", np.minimum), ("maximum", np.maximum)):
            yield elementwise(f"generated_{name}_{dtype.name}", "generated", {"x": dtype, "y": dtype},
                              {"out": (f"triton_helpers.{name}(x, y)", dtype)},
                              lambda v, f=function: {"out": f(v.x, v.y)}, helpers=HELPERS,
                              tolerance=Tolerance(any_zero=True) if dtype is FP32 else EXACT)


def first_along(x, axis, best):
    """The number of the first element along the axis that `best` chooses, NaNs before all others."""
    is_best = (x == np.expand_dims(best(x, axis=axis), axis)) | np.isnan(x)
    nans = np.isnan(x).any(axis=axis, keepdims=True)
    return np.argmax(np.where(nans, np.isnan(x), is_best), axis=axis)


def reduction_cases():
    shape, axis = (16, 64), 1
    data = with_nans(shape)
    index = "tl.broadcast_to(tl.arange(0, 64)[None, :], [16, 64])"
    for name, best in (("min", np.min), ("max", np.max)):
        def reference(v, best=best):
            return {"value": best(v.x, axis=axis), "index": first_along(v.x, axis, best)}

        yield blocks(f"generated_{name}_with_index", "generated", {"x": (FP32, shape, data)},
                     {"value": ("pair[0]", FP32, (16,)), "index": ("pair[1]", I32, (16,))}, reference, helpers=HELPERS,
                     setup=f"pair = triton_helpers.{name}_with_index(x, {index}, {axis})")
        yield blocks(f"generated_{name}2", "generated", {"x": (FP32, shape, data)},
                     {"out": (f"triton_helpers.{name}2(x, {axis})", FP32, (16,))},
                     lambda v, best=best: {"out": best(v.x, axis=axis)}, helpers=HELPERS)
    yield blocks("generated_any", "generated", {"x": (FP32, shape, data)},
                 {"out": (f"triton_helpers.any(x > 2, {axis})", I1, (16,))},
                 lambda v: {"out": (v.x > 2).any(axis=axis)}, helpers=HELPERS)
    yield blocks("generated_prod", "generated", {"x": (FP32, shape, ("uniform", 0.9, 1.1))},
                 {"out": (f"triton_helpers.prod(x, {axis})", FP32, (16,))},
                 lambda v: {"out": np.prod(v.x.astype(np.float64), axis=axis)}, CLOSE, helpers=HELPERS)
    yield blocks("generated_select_one", "generated", {"x": (FP32, shape, ("normal", 1))},
                 {"out": (f"triton_helpers.select_one(x, tl.arange(0, 64)[None, :] == 5, {axis})", FP32, (16,))},
                 lambda v: {"out": v.x[:, 5]}, helpers=HELPERS)
    yield blocks("generated_promote", "generated", {"x": (FP32, (), ("normal", 1))},
                 {"out": ("triton_helpers.promote_to_tensor(x)", FP32, (1,))},
                 lambda v: {"out": v.x}, helpers=HELPERS)


def statistics_cases():
    body = """
rows = tl.arange(0, 16)[:, None]
mean = tl.zeros([16, 32], tl.float32)
m2 = tl.zeros([16, 32], tl.float32)
weight = tl.zeros([16, 32], tl.float32)
for start in range(0, n, 32):
    columns = start + tl.arange(0, 32)[None, :]
    inside = columns < n
    x = tl.load(x_ptr + rows * n + columns, inside, other=0.0)
    mean_next, m2_next, weight_next = triton_helpers.welford_reduce(x, mean, m2, weight, start == 0)
    mean = tl.where(inside, mean_next, mean)
    m2 = tl.where(inside, m2_next, m2)
    weight = tl.where(inside, weight_next, weight)
mean, m2, weight = triton_helpers.welford(mean, m2, weight, 1)
tl.store(mean_ptr + tl.arange(0, 16), mean)
tl.store(variance_ptr + tl.arange(0, 16), m2 / weight)
tl.store(weight_ptr + tl.arange(0, 16), tl_math.abs(weight))
"""

    def reference(v):
        x = v.x_ptr.astype(np.float64)
        return {"mean_ptr": x.mean(axis=1), "variance_ptr": x.var(axis=1), "weight_ptr": np.full(16, x.shape[1])}

    # Fewer columns than a block, a whole block, and several with a ragged end.
    for n in (20, 32, 200):
        yield Case(f"generated_welford_{n}", "generated",
                   {"x_ptr": Tensor(FP32, (16, n), ("uniform", 1, 3)), "n": n, "mean_ptr": Tensor(FP32, (16,)),
                    "variance_ptr": Tensor(FP32, (16,)), "weight_ptr": Tensor(FP32, (16,))}, body, reference,
                   CLOSE, helpers=HELPERS)


def cases():
    yield from pair_cases()
    yield from reduction_cases()
    yield from statistics_cases()
