# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""How a kernel of this table is written down."""

import textwrap

import numpy as np

from suite.case import EXACT, Case, Tensor, Tolerance
from suite.dtypes import BF16, FP8E4NV, FP16, FP32, I8, I16, I32, I64, U8, U32

FINE, HALF, BRAIN, COARSE = Tolerance(norm=2e-6), Tolerance(norm=1e-3), Tolerance(norm=8e-3), Tolerance(norm=2e-5)

__all__ = ["BF16", "BRAIN", "COARSE", "EXACT", "FINE", "FP16", "FP32", "FP8E4NV", "HALF", "I16", "I32", "I64", "I8", "U32",
           "U8", "Tolerance", "cdiv", "fp16", "fp32", "i32", "kernel", "of", "sigmoid", "silu", "softmax", "wide"]


def of(dtype, *shape, data="poison"):
    return Tensor(dtype, shape, data)


def fp32(*shape, scale=1.0):
    """Normal numbers."""
    return Tensor(FP32, shape, ("normal", scale))


def fp16(*shape, scale=1.0):
    return Tensor(FP16, shape, ("normal", scale))


def i32(*shape, below=100):
    return Tensor(I32, shape, ("integers", 0, below))


def kernel(name, args, body, reference, tolerance=FINE, grid=(1,), constexprs=None, helpers="", warps=4):
    """A case; the reference takes the arguments' values by name and returns a dictionary."""
    return Case(name, "kernels", args, textwrap.dedent(body), reference, tolerance, constexprs or {}, grid,
                {"num_warps": warps}, textwrap.dedent(helpers))


def wide(x):
    return np.asarray(x).astype(np.float64)


def cdiv(a, b):
    return -(-a // b)


def sigmoid(x):
    return 1 / (1 + np.exp(-wide(x)))


def silu(x):
    return wide(x) * sigmoid(x)


def softmax(x, axis=-1):
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
