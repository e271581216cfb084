# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Conversions between element types, and arithmetic in one type."""

import numpy as np

from .dtypes import FP32, I1, round_to


def convert(values, source, target, mode="rtne"):
    """The converted values, and where the language defines them."""
    if source is target:
        return values, True
    if target is I1:
        return values != 0, True
    if target.kind == "f":
        if mode == "rtne" and target.native and source.native:
            return values.astype(target.storage), True
        return round_to(target, values.astype(np.float64), mode), True
    if source.kind != "f":
        return values.astype(target.storage), True
    limits = np.iinfo(target.storage)
    whole = np.trunc(values.astype(np.float64))
    # 2^63 and 2^64 are numbers of float64, the largest integers below them are not.
    fits = (whole >= float(limits.min)) & (whole < float(limits.max) + (target.bits < 64))
    return np.where(fits, whole, 0).astype(target.storage), fits


def settle(numbers, dtype):
    """Results computed in float32 or the type itself, as numbers of the type."""
    return numbers if dtype.native else round_to(dtype, numbers)


def kept(x):
    """False where fp32 arithmetic that flushes denormals to zero has a different result."""
    return ~(np.abs(x) < 2.0**-126) | (x == 0) | (x.dtype == np.float64)


def fmod(x, y):
    if x.dtype.kind == "f":
        return np.fmod(x, y), kept(y)
    defined = divisible(x, y)
    return np.fmod(x, np.where(y == 0, 1, y)), defined


def divisible(x, y):
    """Where integer division has a result."""
    defined = y != 0
    if x.dtype.kind == "i":
        defined = defined & ~((x == np.iinfo(x.dtype).min) & (y == -1))
    return defined


def truncating_divide(x, y):
    defined = divisible(x, y)
    safe = np.where(defined, y, 1).astype(x.dtype)
    quotient = np.floor_divide(x, safe)
    inexact = np.fmod(x, safe) != 0
    return quotient + (inexact & ((x < 0) != (safe < 0))).astype(x.dtype), defined


def true_divide(x, y):
    """`/`: integers are converted to fp32 first."""
    if x.dtype.kind != "f":
        x, y = x.astype(FP32.storage), y.astype(FP32.storage)
    return x / y, True


def maximum(x, y):
    return (np.fmax if x.dtype.kind == "f" else np.maximum)(x, y)


def minimum(x, y):
    return (np.fmin if x.dtype.kind == "f" else np.minimum)(x, y)
