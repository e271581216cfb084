# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The kernel's Python: loops, branches, calls, tuples, compile-time values, inline assembly."""

import numpy as np

from .case import Case, Tensor
from .dtypes import FP16, FP32, FP64, I16, I32, I64, I8, U32
from .elementwise import elementwise

HELPERS = '''
@triton.jit
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@triton.jit
def clipped(x, low=-1, high=1):
    if x < low:
        return low
    if x > high:
        return high
    return x


@triton.jit
def both(x, y):
    return x + y, x - y


@triton.jit(noinline=True)
def apart(x, y):
    return x * 3 + y


@triton.jit
def folded(x, N: tl.constexpr):
    if N == 1:
        return tl.sum(x, 0)
    else:
        return folded(tl.sum(tl.reshape(x, (2, N // 2)), 0), N // 2)


@triton.jit
def twice(x, function: tl.constexpr):
    return function(function(x))


@triton.jit
def increment(x):
    return x + 1
'''


# Triton reads an undefined value there.
UNDEFINED_INDEX = "the index of a loop is undefined behind it"


def scalar(name, body, reference, args=None, count=1, constexprs=None, dtype=I32, grid=(1,), triton=""):
    """A kernel of scalars that stores `count` numbers."""
    return Case(f"control_{name}", "control", {**(args or {}), "o_ptr": Tensor(dtype, (count,))}, body,
                lambda v: {"o_ptr": reference(v)}, constexprs=constexprs or {}, grid=grid, helpers=HELPERS, triton=triton)


def loop_cases():
    for low, high, step in ((0, 10, 1), (0, 10, 3), (5, 5, 1), (7, 3, 1), (10, 0, -1), (10, 0, -3), (-5, 6, 2)):
        name = f"range_{low}_{high}_{step}".replace("-", "m")
        # The last index says whether the order was right.
        body = f"s = 0\nlast = -1\nfor i in range(lo, hi, {step}):\n    s += i\n    last = i\ntl.store(o_ptr, s)\ntl.store(o_ptr + 1, last)"
        turns = list(range(low, high, step))
        yield scalar(name, body, lambda v, t=turns: [sum(t), t[-1] if t else -1], {"lo": (low, "i32"), "hi": (high, "i32")}, 2)
    big = 2**35
    for step in (1, 2, 3):
        yield scalar(f"range_64_{step}", f"s = hi * 0\nfor i in range(lo, hi, {step}):\n    s += i - lo\ntl.store(o_ptr, s)",
                     lambda v, step=step: [sum(range(0, 20, step))], {"lo": (big, "i64"), "hi": (big + 20, "i64")}, 1, dtype=I64)
    yield scalar("range_index_changed", "s = 0\nfor i in range(0, n):\n    s += i\n    i = i + 100\ntl.store(o_ptr, s)",
                 lambda v: [45], {"n": 10})
    # Behind its loop the index keeps its last value, or what it was where the loop did not run.
    for low, high, step in ((0, 10, 3), (10, 0, -3), (5, 5, 1)):
        name = f"index_behind_{low}_{high}_{step}".replace("-", "m")
        turns = list(range(low, high, step))
        yield scalar(name, f"i = 77\nfor i in range(lo, hi, {step}):\n    s = i\ntl.store(o_ptr, i)",
                     lambda v, t=turns: [t[-1] if t else 77], {"lo": (low, "i32"), "hi": (high, "i32")}, triton=UNDEFINED_INDEX)
    yield scalar("index_behind_new", "for i in range(0, n):\n    tl.store(o_ptr, i)\nif n > 5:\n    tl.store(o_ptr + 1, i + 1)",
                 lambda v: [9, 10], {"n": 10}, 2, triton=UNDEFINED_INDEX)
    yield scalar("index_behind_inner", """s = 0
for j in range(1, n):
    for i in range(0, j * 2):
        s += 1
    s += i * 1000
for i in range(0, n):
    s += 1
tl.store(o_ptr, s)""", lambda v: [sum(2 * j + (2 * j - 1) * 1000 for j in range(1, 7)) + 7], {"n": 7}, triton=UNDEFINED_INDEX)
    yield scalar("index_behind_wide", """i = 3
for j in range(0, 2):
    for i in range(lo, hi):
        s = i + j
tl.store(o_ptr, i)""", lambda v: [19], {"lo": (10, "i64"), "hi": (20, "i64")}, triton=UNDEFINED_INDEX)
    yield scalar("static_range", "s = 0\nfor i in tl.static_range(0, 100, 7):\n    s += i\ntl.store(o_ptr, s)",
                 lambda v: [sum(range(0, 100, 7))])
    for unroll in (1, 2, 4, 5, 8):
        yield scalar(f"unroll_{unroll}", f"s = 0\nfor i in tl.range(0, n, loop_unroll_factor={unroll}):\n    s = s * 3 + i\ntl.store(o_ptr, s)",
                     lambda v: [wrapped(13)], {"n": 13})
    yield scalar("nested_while", """i = 0
s = 0
while i < n:
    j = 0
    while j < i:
        s += j
        j += 1
    i += 1
tl.store(o_ptr, s)""", lambda v: [sum(sum(range(i)) for i in range(12))], {"n": 12})
    yield scalar("flatten", """s = 0
for i in tl.range(0, n, flatten=True):
    for j in range(0, 5):
        s += i * j
tl.store(o_ptr, s)""", lambda v: [sum(i * j for i in range(9) for j in range(5))], {"n": 9})
    yield scalar("carried_tuple", """a, b = 0, 1
for i in range(n):
    a, b = b, a + b
tl.store(o_ptr, a)
tl.store(o_ptr + 1, b)""", lambda v: [55, 89], {"n": 10}, 2)
    yield scalar("call_in_while", "tl.store(o_ptr + tl.program_id(0), collatz(tl.program_id(0) + 1))",
                 lambda v: [steps(n) for n in range(1, 65)], count=64, grid=(64,))


def wrapped(n):
    s = 0
    for i in range(n):
        s = (s * 3 + i) & 0xFFFFFFFF
    return s - (1 << 32) if s >= 1 << 31 else s


def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def branch_cases():
    yield scalar("if_elif", """p = tl.program_id(0)
if p < 3:
    r = p * 10
elif p < 6:
    r = p * 100
else:
    r = -p
tl.store(o_ptr + p, r)""", lambda v: [p * 10 if p < 3 else p * 100 if p < 6 else -p for p in range(9)], count=9, grid=(9,))
    yield scalar("early_return", """p = tl.program_id(0)
tl.store(o_ptr + p, 1)
if p % 2 == 0:
    return
tl.store(o_ptr + p, 2)""", lambda v: [1 + p % 2 for p in range(8)], count=8, grid=(8,))
    yield scalar("ternary", "p = tl.program_id(0)\ntl.store(o_ptr + p, p if p > 3 else -p)",
                 lambda v: [p if p > 3 else -p for p in range(8)], count=8, grid=(8,))
    yield scalar("logic", """p = tl.program_id(0)
a = p > 2 and p < 6
b = p == 0 or not (p < 7)
tl.store(o_ptr + p, a.to(tl.int32) * 2 + b.to(tl.int32))""",
                 lambda v: [(2 < p < 6) * 2 + (p == 0 or p >= 7) for p in range(9)], count=9, grid=(9,))
    for flag in (True, False):
        yield scalar(f"static_if_{flag}", """if FLAG and MODE == "wide":
    tl.store(o_ptr, 1)
else:
    tl.store(o_ptr, 2)
if BIAS is None:
    tl.store(o_ptr + 1, 5)
if isinstance(SIZE, int) and not isinstance(SIZE, (tl.constexpr, tl.tensor)):
    tl.store(o_ptr + 2, SIZE * 2)""", lambda v, flag=flag: [1 if flag else 2, 5, 14], count=3,
                     constexprs={"FLAG": flag, "MODE": "wide", "BIAS": None, "SIZE": 7})
    yield scalar("defaults", """p = tl.program_id(0) - 4
tl.store(o_ptr + 2 * (p + 4), clipped(p))
tl.store(o_ptr + 2 * (p + 4) + 1, clipped(p, high=3))""",
                 lambda v: [e for p in range(-4, 5) for e in (min(max(p, -1), 1), min(max(p, -1), 3))], count=18, grid=(9,))


def call_cases():
    yield scalar("tuples", """s, d = both(n, 3)
t = (s, d, (n, 7))
a, b, (c, e) = t
tl.store(o_ptr, a)
tl.store(o_ptr + 1, b)
tl.store(o_ptr + 2, t[2][1])
tl.store(o_ptr + 3, c + e)
tl.store(o_ptr + 4, len(t))""", lambda v: [23, 17, 7, 27, 3], {"n": 20}, 5)
    yield scalar("noinline", "tl.store(o_ptr, apart(n, 4) + apart(5, n))", lambda v: [64 + 35], {"n": 20})
    yield scalar("function_argument", "tl.store(o_ptr, twice(n, increment))", lambda v: [22], {"n": 20})
    args = {"x_ptr": Tensor(I32, (64,), ("integers", -99, 99))}
    yield scalar("recursion", "x = tl.load(x_ptr + tl.arange(0, 64))\ntl.store(o_ptr, folded(x, 64))",
                 lambda v: [v.x_ptr.sum()], args)
    yield scalar("list_comprehension", """parts = [n + i for i in (0, 1, 2, 3)]
total = 0
for i in tl.static_range(4):
    total += parts[i] * parts[i]
tl.store(o_ptr, total)""", lambda v: [sum((20 + i) ** 2 for i in range(4))], {"n": 20})
    yield scalar("constants", """WIDTH: tl.constexpr = 3 * 7 + 2**4
tl.static_assert(WIDTH == 37)
tl.static_assert(-7 // 2 == -4)
tl.static_assert(tl.cdiv(7, 2) == 4)
x = n // -3
tl.store(o_ptr, WIDTH)
tl.store(o_ptr + 1, x)
tl.store(o_ptr + 2, (-n) % 7)""", lambda v: [37, -6, -6], {"n": 20}, 3)
    yield scalar("types", """tl.static_assert(o_ptr.dtype.element_ty == tl.int32)
x = tl.zeros((4, 8), tl.float16)
tl.static_assert(x.dtype == tl.float16 and x.shape[1] == 8 and x.numel == 32 and len(x.shape) == 2)
tl.static_assert(x.dtype.is_floating() and x.dtype.primitive_bitwidth == 16)
tl.static_assert((x + 1.0).dtype == tl.float16 and (x * x.to(tl.float32)).dtype == tl.float32)
tl.store(o_ptr, 1)""", lambda v: [1])
    yield scalar("int_bounds", """a = n + 2147483647
b = n.to(tl.int64) + 2147483647
tl.store(o_ptr, (a < 0).to(tl.int32))
tl.store(o_ptr + 1, (b > 2147483647).to(tl.int32))
tl.store(o_ptr + 2, (1 << 31) >> 31)""", lambda v: [1, 1, 1], {"n": 20}, 3)


def assembly_cases():
    yield elementwise("asm_funnel", "assembly", {"x": U32, "y": U32},
                      {"out": ('tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $1, $2, 7;", "=r,r,r", [x, y], '
                               "dtype=tl.uint32, is_pure=True, pack=1)", U32)},
                      lambda v: {"out": (v.y << np.uint32(7)) | (v.x >> np.uint32(25))})
    yield elementwise("asm_packed", "assembly", {"x": I8, "y": I8},
                      {"out": ('tl.inline_asm_elementwise("and.b32 $0, $1, $2;", "=r,r,r", [x, y], dtype=tl.int8, '
                               "is_pure=True, pack=4)", I8)},
                      lambda v: {"out": v.x & v.y})
    yield elementwise("asm_two_results", "assembly", {"x": (FP32, ("normal", 3)), "y": (FP32, ("normal", 3))},
                      {"a": ("pair[0]", FP32), "b": ("pair[1]", FP32)}, lambda v: {"a": v.x + v.y, "b": v.x - v.y},
                      setup='''pair = tl.inline_asm_elementwise("""
add.rn.f32 $0, $2, $3;
sub.rn.f32 $1, $2, $3;
""", "=f,=f,f,f", [x, y], dtype=(tl.float32, tl.float32), is_pure=True, pack=1)''')


def hint_cases():
    for dtype in (I16, FP16, FP32, FP64):
        args = {"x_ptr": Tensor(dtype, (1024,), "edges"), "o_ptr": Tensor(dtype, (1024,)), "n": 1000}
        body = """tl.assume(n > 0)
i = tl.max_contiguous(tl.multiple_of(tl.program_id(0) * 512, 512) + tl.arange(0, 512), 512)
tl.debug_barrier()
tl.static_print("kernel")
tl.device_assert(n > 0, "positive")
tl.store(o_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)"""
        yield Case(f"hints_{dtype.name}", "control", args, body,
                   lambda v: {"o_ptr": np.where(np.arange(1024) < 1000, v.x_ptr, v.o_ptr)}, grid=(2,))


def cases():
    for make in (loop_cases, branch_cases, call_cases, assembly_cases, hint_cases):
        yield from make()
