# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Combining functions that branch and loop, and scans of matrix products."""

import numpy as np

from .blocks import blocks
from .case import Tolerance
from .dtypes import FP16, FP32, I32

HELPERS = '''
@triton.jit
def larger(a, b):
    r = a
    if b > a:
        r = b
    return r


@triton.jit
def gcd(a, b):
    while b != 0:
        r = a % b
        a = b
        b = r
    return a
'''

SHAPES = [((16,), 0), ((1024,), 0), ((32, 64), 0), ((32, 64), 1), ((4, 8, 32), 1)]


def branch_cases():
    for shape, axis in SHAPES:
        def reference(values, axis=axis):
            return {"most": values.x.max(axis), "divisor": np.gcd.reduce(values.x, axis),
                    "so_far": np.maximum.accumulate(values.x, axis), "common": np.gcd.accumulate(values.x, axis)}

        reduced = shape[:axis] + shape[axis + 1:]
        outputs = {"most": (f"tl.reduce(x, {axis}, larger)", I32, reduced),
                   "divisor": (f"tl.reduce(x, {axis}, gcd)", I32, reduced),
                   "so_far": (f"tl.associative_scan(x, {axis}, larger)", I32, shape),
                   "common": (f"tl.associative_scan(x, {axis}, gcd)", I32, shape)}
        name = "branching_combine_" + "x".join(map(str, shape)) + f"_{axis}"
        # Multiples of 12, so that the divisors are not all 1.
        data = 12 * np.random.default_rng(7).integers(1, 500, shape)
        yield blocks(name, "reduction", {"x": (I32, shape, data)}, outputs, reference, helpers=HELPERS)


def product_cases():
    for m, n, k, warps in ((16, 16, 16, 1), (64, 32, 32, 4), (32, 128, 16, 8)):
        def reference(values):
            product = values.x.astype(np.float64) @ values.y.astype(np.float64)
            return {"down": product.cumsum(0), "along": product.cumsum(1), "total": product.sum(1)}

        outputs = {"down": ("tl.cumsum(p, 0)", FP32, (m, n)), "along": ("tl.cumsum(p, 1)", FP32, (m, n)),
                   "total": ("tl.sum(p, 1)", FP32, (m,))}
        yield blocks(f"scan_of_product_{m}x{n}x{k}", "scan",
                     {"x": (FP16, (m, k), ("normal", 1)), "y": (FP16, (k, n), ("normal", 1))}, outputs, reference,
                     Tolerance(norm=1e-5), setup="p = tl.dot(x, y)", warps=warps)


def cases():
    yield from branch_cases()
    yield from product_cases()
