# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Holds a result against the reference."""

import numpy as np


def spacing(dtype, numbers):
    """The distance between neighboring numbers of the type there."""
    _, exponent = np.frexp(np.abs(numbers))
    return np.ldexp(1.0, np.maximum(exponent - 1, 1 - dtype.bias) - dtype.mantissa)


def wrong_elements(dtype, actual, expected, tolerance):
    """True where an element is too far off."""
    if dtype.kind != "f":
        allowed = tolerance.absolute + tolerance.ulps
        if not allowed:
            return actual != expected
        return np.abs(actual.astype(np.float64) - expected.astype(np.float64)) > allowed
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        if not tolerance.any_zero:
            same &= (np.signbit(actual) == np.signbit(expected)) | (actual != 0) | tolerance_is_loose(tolerance)
        allowed = (tolerance.absolute + tolerance.relative * np.abs(expected)
                   + tolerance.ulps * spacing(dtype, np.where(np.isfinite(expected), expected, 0)))
        close = np.abs(actual - expected) <= allowed
        # The largest number and infinity are neighbors.
        if tolerance.ulps or tolerance.relative:
            top = dtype.largest * (1 - 2 * tolerance.relative - 2.0 ** -(dtype.mantissa - 1))
            close |= (np.abs(actual) >= top) & (np.abs(expected) >= top) & (np.sign(actual) == np.sign(expected))
    return ~(same | (close & bool(tolerance_is_loose(tolerance))))


def tolerance_is_loose(tolerance):
    return bool(tolerance.absolute or tolerance.relative or tolerance.ulps)


def norm_error(actual, expected, defined):
    """The difference's norm over the reference's, of the defined and finite elements."""
    a, e = actual[defined].astype(np.float64), expected[defined].astype(np.float64)
    finite = np.isfinite(e)
    return float(np.linalg.norm(a[finite] - e[finite]) / (np.linalg.norm(e[finite]) or 1.0))


def compare(dtype, actual, expected, defined, tolerance):
    """What is wrong, in words; an empty text when nothing is. `actual` are values, not bits."""
    if actual.shape != expected.shape:
        return f"shape {actual.shape} instead of {expected.shape}"
    if tolerance.norm:
        if not np.array_equal(np.isfinite(actual[defined]), np.isfinite(expected[defined])):
            return "other elements are not finite"
        error = norm_error(actual, expected, defined)
        return "" if error <= tolerance.norm else f"off by {error:.3g} in norm, allowed {tolerance.norm:g}"
    wrong = wrong_elements(dtype, actual, expected, tolerance) & defined
    if not wrong.any():
        return ""
    first = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    index = ", ".join(map(str, first))
    return (f"{int(wrong.sum())} of {wrong.size} elements differ, first [{index}]: "
            f"{actual[first]!r} instead of {expected[first]!r}")
