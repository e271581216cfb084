# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Numbers that kernels round, and kernels that round nothing since they have integers alone."""

from verdict_cases import Case, tensor


def numbered(dtype, computed, expected, wrong, more="", parameters=""):
    """Numbers in the source of a kernel that computes in a narrow type, which rounds them."""
    return Case(
        f"{computed} of {dtype}",
        "[8]",
        tensor("x", dtype, "[2048]", "randn") + tensor("y", dtype, "[2048]", expected=expected) + more,
        f"""
def k(x, y{parameters}):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    v = tl.load(x + i)
    tl.store(y + i, ({computed}).to(y.dtype.element_ty))
""",
        [(f"number {new}", f"({computed})", f"({computed.replace(old, new)})") for old, new in wrong],
    )


NUMBERED = [
    numbered("fp16", "v * 1.1", "x * 1.1", [("1.1", "1.2"), ("1.1", "1.11"), ("1.1", "1.101")]),
    numbered("fp16", "v * 0.299", "x * 0.299", [("0.299", "0.3"), ("0.299", "0.3 - v")]),
    numbered("fp16", "v + 0.1", "x + 0.1", [("0.1", "0.11"), ("0.1", "0.101")]),
    numbered("fp16", "v - 0.1", "x - 0.1", [("0.1", "0.11"), ("-", "+")]),
    numbered("fp16", "1.1 - v", "1.1 - x", [("1.1", "1.11")]),
    numbered("fp16", "-1.1 * v", "x * -1.1", [("1.1", "1.101")]),
    numbered("fp16", "v * 0.1 + 0.7", "x * 0.1 + 0.7", [("0.1", "0.11"), ("0.7", "0.71")]),
    numbered("fp16", "v * (1 / 3)", "x / 3", [("1 / 3", "1 / 3.01")]),
    numbered("fp16", "v * (0.1 + 1)", "x * (0.1 + 1)", [("0.1", "0.101")]),
    numbered("fp16", "tl.maximum(v, 0.1)", "maximum(x, 0.1)", [("0.1", "0.101")]),
    numbered("fp16", "tl.where(v > 0.3, v, 0.1 * v)", "where(x > 0.3, x, 0.1 * x)", [("0.1", "0.101"), ("0.3", "0.31")]),
    numbered("fp16", "v * SCALE", "x * SCALE", [("SCALE", "(SCALE * 1.01)")], "[constexprs]\nSCALE = 1.1\n",
             ", SCALE: tl.constexpr"),
    numbered("fp16", "v.to(tl.float32) * 1.1", "x * 1.1", [("1.1", "1.101"), ("1.1", "1.0996")]),
    numbered("bf16", "v * 0.1", "x * 0.1", [("0.1", "0.11"), ("0.1", "0.101")]),
    numbered("bf16", "v * 1.1", "x * 1.1", [("1.1", "1.2"), ("1.1", "1.11")]),
    numbered("bf16", "v + 0.1", "x + 0.1", [("0.1", "0.11")]),
    numbered("bf16", "v - 0.1", "x - 0.1", [("0.1", "0.11"), ("v - 0.1", "v")]),
]


def whole(computed, expected, wrong, low=-3, high=4):
    """Integers of a kernel that has integers alone."""
    return Case(
        f"integers, {expected}",
        "[8]",
        tensor("x", "i32", "[2048]", "randint", more=f"low = {low}, high = {high}")
        + tensor("y", "i32", "[2048]", expected=expected),
        f"""
def k(x, y):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    v = tl.load(x + i)
    tl.store(y + i, {computed})
""",
        [(f"computes {new}", computed, new) for new in wrong],
    )


WHOLE = [
    whole("(v > 0).to(tl.int32) - (v < 0)", "sign(x)",
          ["tl.where(v > 0, 0, 0)", "tl.where(v > 2, 1, tl.where(v < 0, -1, 0))"]),
    whole("tl.abs(tl.where(v != 0, 1, 0))", "abs(sign(x))", ["v * 0", "v * 0 + 1"]),
    whole("(v > 0).to(tl.int32)", "maximum(sign(x), 0)", ["v * 0", "(v >= 0).to(tl.int32)"]),
    whole("(v > 1).to(tl.int32) - (v < 1)", "sign(x - 1)", ["v * 0", "(v > 0).to(tl.int32) - (v < 0)"]),
    whole("v // 7", "floor(x / 7)", ["v * 0", "(v + 1) // 7"], low=0, high=8),
    whole("v // 2", "floor(x * 0.5)", ["v * 0", "(v - 1) // 2"], low=1, high=8),
    whole("tl.where(v >= 4, 2, 1)", "floor(sqrt(x))", ["v * 0 + 1", "tl.where(v > 4, 2, 1)"], low=1, high=9),
    whole("v * 29 // 100", "floor(x * 0.29)", ["v * 0", "v * 27 // 100"], low=0, high=400),
]


NUMBER_CASES = [*NUMBERED, *WHOLE]
