# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The language's rules for the type of an operation's result, written down a second time."""

from .dtypes import BF16, FP16, FP32, FP64, I1, I32


def promote_ints(a, b):
    if (a.kind == "i") == (b.kind == "i"):
        return a if a.bits > b.bits else b
    unsigned, signed = (a, b) if a.kind != "i" else (b, a)
    return unsigned if unsigned.bits >= signed.bits and unsigned is not I1 else signed


def promote(a, b, division=False):
    """The type in which `a op b` is computed; None where the language rejects the pair."""
    pair = (a, b)
    floating = a.kind == "f" or b.kind == "f"
    if FP64 in pair:
        return FP64
    if division and floating:
        return FP32
    if FP32 in pair:
        return FP32
    if FP16 in pair:
        return FP16
    if BF16 in pair:
        return BF16 if a is b else FP32
    if division and (a.kind == "i") != (b.kind == "i"):
        return None
    return promote_ints(a, b)


def promote_literal(a, literal, division=False):
    """The same for an operation with a Python number."""
    if isinstance(literal, float):
        return promote(FP32, FP32, division) if a.kind != "f" else promote(a, a, division)
    return promote(a, a, division)


def literal_type(literal):
    """The type of a Python number that takes part as a tensor."""
    return FP32 if isinstance(literal, float) else I32
