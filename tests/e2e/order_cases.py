# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels whose programs wait for each other, and the same with an order missing.

What is missing shows in no order in which programs run to their end one after another: each wrong kernel
leaves what is expected then, and must be said to do so by chance, or differ.
"""

from verdict_cases import Case, tensor


def ticket(programs):
    """Programs add up in one place, one after another."""
    return Case(
        f"ticket of {programs}",
        f"[{programs}]",
        tensor("x", "fp32", f"[{programs}, 64]", "randn")
        + tensor("y", "fp32", "[64]", "zeros", expected="sum(x, axis=0)")
        + tensor("t", "i32", "[1]", "zeros"),
        """
def k(x, y, t):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    v = tl.load(x + pid * 64 + i)
    while tl.atomic_add(t, 0) < pid:
        pass
    tl.store(y + i, tl.load(y + i) + v)
    tl.debug_barrier()
    tl.atomic_add(t, 1)
""",
        [
            ("one early", "< pid:", "< pid - 1:"),
            ("two early", "< pid:", "< pid - 2:"),
            ("sixteen early", "< pid:", "< pid - 16:"),
            ("half as many", "< pid:", "< pid // 2:"),
            ("one early, by a comparison", "tl.atomic_add(t, 0) < pid:", "tl.atomic_cas(t, 1000, 1000) < pid - 1:"),
            ("one look in place of the wait", "while tl.atomic_add(t, 0) < pid:\n        pass",
             "if tl.atomic_add(t, 0) < pid:\n        tl.debug_barrier()"),
            ("raised before the store", "    while tl.atomic_add(t, 0) < pid:\n        pass\n",
             "    while tl.atomic_add(t, 0) < pid:\n        pass\n    tl.atomic_add(t, 1)\n"),
        ],
        wrongIsDoubted=True,
    )


STREAM_ARGS = (
    tensor("a", "bf16", "[64, 160]", "randn")
    + tensor("b", "bf16", "[160, 32]", "randn", more="seed = 2")
)
STREAM_PRODUCT = """
    z = tl.program_id(0)
    m = tl.program_id(1)
    rm = m * 32 + tl.arange(0, 32)
    rn = tl.arange(0, 32)
    rk = z * 32 + tl.arange(0, 32)
    acc = tl.dot(tl.load(a + rm[:, None] * 160 + rk[None, :]), tl.load(b + rk[:, None] * 32 + rn[None, :]))
    tile = rm[:, None] * 32 + rn[None, :]
"""


def stream_k_in_turn():
    return Case(
        "stream-K, one after another",
        "[5, 2]",
        STREAM_ARGS
        + tensor("c", "fp32", "[64, 32]", "zeros", expected="a @ b")
        + tensor("lock", "i32", "[2]", "zeros"),
        f"""
def k(a, b, c, lock):{STREAM_PRODUCT}
    while tl.atomic_add(lock + m, 0) < z:
        pass
    acc += tl.load(c + tile)
    tl.store(c + tile, acc)
    tl.debug_barrier()
    tl.atomic_add(lock + m, 1)
""",
        [
            ("one early", "< z:", "< z - 1:"),
            ("a wait at the first tile's lock", "lock + m, 0)", "lock, 0)"),
            ("one lock for all tiles", "lock + m", "lock"),
        ],
        wrongIsDoubted=True,
    )


def stream_k_fixup():
    return Case(
        "stream-K, one sums up",
        "[5, 2]",
        STREAM_ARGS
        + tensor("c", "bf16", "[64, 32]", expected="a @ b")
        + tensor("w", "fp32", "[5, 64, 32]")
        + tensor("lock", "i32", "[2]", "zeros"),
        f"""
def k(a, b, c, w, lock):{STREAM_PRODUCT}
    if z != 0:
        tl.store(w + z * 2048 + tile, acc)
        tl.debug_barrier()
        tl.atomic_add(lock + m, 1)
    else:
        while tl.atomic_add(lock + m, 0) != 4:
            pass
        for j in range(1, 5):
            acc += tl.load(w + j * 2048 + tile)
        tl.store(c + tile, acc)
""",
        [
            ("announced by an exchange", "tl.atomic_add(lock + m, 1)", "tl.atomic_xchg(lock + m, z)"),
            ("announced by a maximum", "tl.atomic_add(lock + m, 1)", "tl.atomic_max(lock + m, z)"),
            ("one early", "!= 4:", "< 3:"),
            ("announced before the store", "    if z != 0:\n", "    if z != 0:\n        tl.atomic_add(lock + m, 1)\n"),
        ],
        wrongIsDoubted=True,
    )


def prefix():
    """Running sums of what each program has announced."""
    return Case(
        "running sums",
        "[8]",
        tensor("x", "i32", "[8]", "randint")
        + tensor("p", "i32", "[8]", "zeros")
        + tensor("f", "i32", "[8]", "zeros")
        + tensor("y", "i32", "[8]", expected="cumsum(x)"),
        """
def k(x, p, f, y):
    pid = tl.program_id(0)
    i = tl.arange(0, 8)
    tl.atomic_add(p + pid, tl.load(x + pid))
    tl.atomic_xchg(f + pid, 1)
    for j in range(0, pid):
        while tl.atomic_add(f + j, 0) == 0:
            pass
    s = 0
    for j in range(0, pid + 1):
        s += tl.atomic_add(p + j, 0)
    tl.store(y + pid, s)
""",
        [
            ("no wait", "== 0:", "< 0:"),
            ("no wait, by an or", "== 0:\n            pass\n    s = 0\n    for j in range(0, pid + 1):\n        s += tl.atomic_add(p + j, 0)",
             "< 0:\n            pass\n    s = 0\n    for j in range(0, pid + 1):\n        s += tl.atomic_or(p + j, 0)"),
            ("no wait for the last", "for j in range(0, pid):", "for j in range(0, pid - 1):"),
            ("a block without a wait", "tl.atomic_xchg(f + pid, 1)\n    for j in range(0, pid):\n        while tl.atomic_add(f + j, 0) == 0:\n            pass\n    s = 0\n    for j in range(0, pid + 1):\n        s += tl.atomic_add(p + j, 0)",
             "s = tl.sum(tl.atomic_add(p + i, tl.zeros((8,), tl.int32), mask=i <= pid), axis=0)"),
        ],
        wrongIsDoubted=True,
    )


def lock():
    """Rows are added to one of two sums, each of which a lock guards, as in the backward pass of LayerNorm."""
    return Case(
        "locks of two sums",
        "[24]",
        tensor("x", "fp32", "[12, 2, 64]", "randn")
        + tensor("y", "fp32", "[2, 64]", expected="sum(x, axis=0)")
        + tensor("lock", "i32", "[2]", "zeros")
        + tensor("n", "i32", "[2]", "zeros"),
        """
def k(x, y, lock, n):
    pid = tl.program_id(0)
    g = pid % 2
    i = tl.arange(0, 64)
    v = tl.load(x + pid * 64 + i)
    while tl.atomic_cas(lock + g, 0, 1) == 1:
        pass
    if tl.load(n + g) == 0:
        tl.atomic_xchg(n + g, 1)
    else:
        v += tl.load(y + g * 64 + i)
    tl.store(y + g * 64 + i, v)
    tl.debug_barrier()
    tl.atomic_xchg(lock + g, 0)
""",
        [
            ("one try", "while tl.atomic_cas(lock + g, 0, 1) == 1:\n        pass",
             "if tl.atomic_cas(lock + g, 0, 1) == 1:\n        tl.debug_barrier()"),
            ("released early", "    tl.store(y + g", "    tl.atomic_xchg(lock + g, 0)\n    tl.store(y + g"),
            ("another's lock", "lock + g", "lock + (pid // 2) % 2"),
        ],
        wrongIsDoubted=True,
    )


def look_back():
    """Sums of blocks are handed on: first a block's own (1), then that of all up to it (2)."""
    return Case(
        "look-back scan",
        "[12]",
        tensor("x", "i32", "[384]", "randint")
        + tensor("y", "i32", "[384]", expected="cumsum(x)")
        + tensor("own", "i32", "[12]", "zeros")
        + tensor("all", "i32", "[12]", "zeros")
        + tensor("f", "i32", "[12]", "zeros"),
        """
def k(x, y, own, all, f):
    pid = tl.program_id(0)
    i = tl.arange(0, 32)
    v = tl.load(x + pid * 32 + i)
    total = tl.sum(v, 0)
    tl.store(own + pid, total)
    tl.debug_barrier()
    tl.atomic_xchg(f + pid, 1)
    before = 0
    j = pid - 1
    while j >= 0:
        s = tl.atomic_add(f + j, 0)
        while s == 0:
            s = tl.atomic_add(f + j, 0)
        if s == 2:
            before += tl.load(all + j)
            j = -1
        else:
            before += tl.load(own + j)
            j -= 1
    tl.store(all + pid, before + total)
    tl.debug_barrier()
    tl.atomic_xchg(f + pid, 2)
    tl.store(y + pid * 32 + i, before + tl.cumsum(v, 0))
""",
        [
            ("no wait", "while s == 0:", "while s < 0:"),
            ("announced too much", "tl.atomic_xchg(f + pid, 1)", "tl.atomic_xchg(f + pid, 2)"),
        ],
        wrongIsDoubted=True,
    )


def last_one():
    return Case(
        "the last program sums up",
        "[16]",
        tensor("x", "fp32", "[16, 64]", "randn")
        + tensor("y", "fp32", "[64]", expected="sum(x, axis=0)")
        + tensor("w", "fp32", "[16, 64]")
        + tensor("n", "i32", "[1]", "zeros"),
        """
def k(x, y, w, n):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    tl.store(w + pid * 64 + i, tl.load(x + pid * 64 + i) * 1.0)
    tl.debug_barrier()
    if tl.atomic_add(n, 1) == 15:
        s = tl.zeros((64,), tl.float32)
        for j in range(16):
            s += tl.load(w + j * 64 + i)
        tl.store(y + i, s)
""",
        [
            ("the last but one", "== 15:", "== 14:"),
            ("counted before the store", "    tl.store(w + pid", "    tl.atomic_add(n, 1)\n    tl.store(w + pid"),
            ("the program of the last number", "if tl.atomic_add(n, 1) == 15:", "tl.atomic_add(n, 1)\n    if pid == 15:"),
        ],
        wrongIsDoubted=True,
    )


def barrier():
    return Case(
        "barrier over the grid",
        "[16]",
        tensor("x", "fp32", "[16, 64]", "randn")
        + tensor("y", "fp32", "[16, 64]", expected="roll(x, -1, axis=0)")
        + tensor("w", "fp32", "[16, 64]")
        + tensor("n", "i32", "[1]", "zeros"),
        """
def k(x, y, w, n):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    tl.store(w + pid * 64 + i, tl.load(x + pid * 64 + i))
    tl.debug_barrier()
    tl.atomic_add(n, 1)
    while tl.atomic_add(n, 0) < 16:
        pass
    tl.store(y + pid * 64 + i, tl.load(w + ((pid + 1) % 16) * 64 + i))
""",
        [
            ("one missing", "< 16:", "< 15:"),
            ("half missing", "< 16:", "< 8:"),
            ("one look", "while tl.atomic_add(n, 0) < 16:\n        pass", "if tl.atomic_add(n, 0) < 16:\n        tl.debug_barrier()"),
        ],
        wrongIsDoubted=True,
    )


def softmax_of_all():
    """All programs find a maximum and a sum by atomic operations, and read them behind barriers."""
    return Case(
        "softmax over all programs",
        "[8]",
        tensor("x", "fp32", "[8, 64]", "rand")
        + tensor("y", "fp32", "[8, 64]", expected="exp(x - max(x)) / sum(exp(x - max(x)))")
        + tensor("m", "fp32", "[2]", "zeros")
        + tensor("n", "i32", "[2]", "zeros"),
        """
def k(x, y, m, n):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + i)
    tl.atomic_max(m, tl.max(v, axis=0))
    tl.atomic_add(n, 1)
    while tl.atomic_add(n, 0) < 8:
        pass
    e = tl.exp(v - tl.atomic_max(m, 0.0))
    tl.atomic_add(m + 1, tl.sum(e, axis=0))
    tl.atomic_add(n + 1, 1)
    while tl.atomic_add(n + 1, 0) < 8:
        pass
    tl.store(y + i, e / tl.atomic_add(m + 1, 0.0))
""",
        [
            ("a maximum announced without order", "tl.atomic_add(n, 1)", 'tl.atomic_add(n, 1, sem="relaxed")'),
            ("a sum announced without order", "tl.atomic_add(n + 1, 1)", 'tl.atomic_add(n + 1, 1, sem="relaxed")'),
            ("awaited without order", "tl.atomic_add(n + 1, 0)", 'tl.atomic_add(n + 1, 0, sem="relaxed")'),
            ("one missing", "tl.atomic_add(n + 1, 0) < 8", "tl.atomic_add(n + 1, 0) < 7"),
        ],
        wrongIsDoubted=True,
    )


def queue_by_maxima():
    """The guess of the next row may be out of date: then two programs work on one, and both are right."""
    return Case(
        "work queue by maxima",
        "[6]",
        tensor("x", "fp32", "[40, 64]", "randn")
        + tensor("y", "fp32", "[40, 64]", expected="x * 2")
        + tensor("n", "i32", "[1]", "zeros"),
        """
def k(x, y, n):
    i = tl.arange(0, 64)
    t = tl.atomic_max(n, tl.atomic_add(n, 0) + 1)
    while t < 40:
        tl.store(y + t * 64 + i, tl.load(x + t * 64 + i) * 2)
        t = tl.atomic_max(n, tl.atomic_add(n, 0) + 1)
""",
        [],
    )


def queue():
    return Case(
        "work queue",
        "[8]",
        tensor("x", "fp32", "[40, 64]", "randn")
        + tensor("y", "fp32", "[40, 64]", expected="x * 2")
        + tensor("n", "i32", "[1]", "zeros"),
        """
def k(x, y, n):
    i = tl.arange(0, 64)
    t = tl.atomic_add(n, 1)
    while t < 40:
        tl.store(y + t * 64 + i, tl.load(x + t * 64 + i) * 2)
        t = tl.atomic_add(n, 1)
""",
        [
            ("counted for one block", "tl.atomic_add(n, 1)", 'tl.atomic_add(n, 1, scope="cta")'),
            ("counted by loads", "t = tl.atomic_add(n, 1)\n    while", "t = tl.atomic_add(n, 0)\n    tl.atomic_add(n, 1)\n    while"),
        ],
        wrongIsDoubted=True,
    )


def ring():
    """Even programs hand 12 rows to the odd one behind them, through two places."""
    return Case(
        "ring of two places",
        "[8]",
        tensor("x", "fp32", "[4, 12, 64]", "randn")
        + tensor("y", "fp32", "[4, 12, 64]", expected="x + 1")
        + tensor("w", "fp32", "[4, 2, 64]")
        + tensor("full", "i32", "[4]", "zeros")
        + tensor("free", "i32", "[4]", "zeros"),
        """
def k(x, y, w, full, free):
    g = tl.program_id(0) // 2
    i = tl.arange(0, 64)
    if tl.program_id(0) % 2 == 0:
        for j in range(12):
            while tl.atomic_add(free + g, 0) < j - 1:
                pass
            tl.store(w + (g * 2 + j % 2) * 64 + i, tl.load(x + (g * 12 + j) * 64 + i))
            tl.debug_barrier()
            tl.atomic_add(full + g, 1)
    else:
        for j in range(12):
            while tl.atomic_add(full + g, 0) < j + 1:
                pass
            v = tl.load(w + (g * 2 + j % 2) * 64 + i)
            tl.debug_barrier()
            tl.atomic_add(free + g, 1)
            tl.store(y + (g * 12 + j) * 64 + i, v + 1)
""",
        [
            ("one too far", "< j - 1:", "< j - 2:"),
            ("freed early", "v = tl.load(w + (g * 2", "tl.atomic_add(free + g, 1)\n            v = tl.load(w + (g * 2"),
        ],
        wrongIsDoubted=True,
    )


def sense():
    """A barrier that is used again: the last one resets the count and raises the round."""
    return Case(
        "barrier of three rounds",
        "[8]",
        tensor("x", "i32", "[8]", "randint")
        + tensor("y", "i32", "[8]", expected="roll(x, -3)")
        + tensor("w", "i32", "[2, 8]")
        + tensor("n", "i32", "[1]", "zeros")
        + tensor("r", "i32", "[1]", "zeros"),
        """
def k(x, y, w, n, r):
    pid = tl.program_id(0)
    v = tl.load(x + pid)
    for j in range(3):
        tl.store(w + (j % 2) * 8 + pid, v)
        tl.debug_barrier()
        if tl.atomic_add(n, 1) == 7:
            tl.atomic_xchg(n, 0)
            tl.atomic_add(r, 1)
        else:
            while tl.atomic_add(r, 0) == j:
                pass
        v = tl.load(w + (j % 2) * 8 + (pid + 1) % 8)
    tl.store(y + pid, v)
""",
        [
            ("one missing", "== 7:", "== 6:"),
            ("one place for all rounds", "(j % 2) * 8", "0"),
        ],
        wrongIsDoubted=True,
    )


def greatest():
    """A maximum by compare and exchange."""
    return Case(
        "maximum by comparisons",
        "[16]",
        tensor("x", "i32", "[16, 64]", "randint", more="low = -1000, high = 1000")
        + tensor("y", "i32", "[1]", "full", expected="max(x)", more="value = -100000"),
        """
def k(x, y):
    m = tl.max(tl.load(x + tl.program_id(0) * 64 + tl.arange(0, 64)), 0)
    old = tl.load(y)
    while old < m:
        was = tl.atomic_cas(y, old, m)
        old = tl.where(was == old, m, was)
""",
        [
            ("one try", "while old < m:", "if old < m:"),
            ("compared for one block", "tl.atomic_cas(y, old, m)", 'tl.atomic_cas(y, old, m, scope="cta")'),
        ],
        wrongIsDoubted=True,
    )


FOR_ONE_BLOCK = ("for one block", ", sem=", ', scope="cta", sem=')


def greatest_at_once():
    return Case(
        "maximum",
        "[16]",
        tensor("x", "fp32", "[16, 64]", "randn")
        + tensor("y", "fp32", "[1]", "full", expected="max(x)", more="value = -1e30"),
        """
def k(x, y):
    m = tl.max(tl.load(x + tl.program_id(0) * 64 + tl.arange(0, 64)), 0)
    tl.atomic_max(y, m, sem="relaxed")
""",
        [FOR_ONE_BLOCK],
        wrongIsDoubted=True,
    )


def histogram():
    return Case(
        "histogram",
        "[8]",
        tensor("x", "i32", "[8, 64]", "randint", more="low = 0, high = 16")
        + tensor("y", "i32", "[16]", "zeros",
                 expected="sum(sum(x[None, :, :] == arange(16)[:, None, None], axis=2), axis=1)"),
        """
def k(x, y):
    v = tl.load(x + tl.program_id(0) * 64 + tl.arange(0, 64))
    tl.atomic_add(y + v, 1, sem="relaxed")
""",
        [FOR_ONE_BLOCK],
        wrongIsDoubted=True,
    )


def split_k():
    return Case(
        "split-K",
        "[5, 2]",
        STREAM_ARGS + tensor("c", "fp32", "[64, 32]", "zeros", expected="a @ b"),
        f"""
def k(a, b, c):{STREAM_PRODUCT}
    tl.atomic_add(c + tile, acc, sem="relaxed")
""",
        [FOR_ONE_BLOCK],
        wrongIsDoubted=True,
    )


def own_places():
    """Atomic operations of one block, on places that no other program touches, are right."""
    return Case(
        "sums of one block",
        "[8]",
        tensor("x", "i32", "[8, 64]", "randint", more="low = 0, high = 16")
        + tensor("y", "i32", "[8, 16]", "zeros",
                 expected="sum(x[:, None, :] == arange(16)[None, :, None], axis=2)"),
        """
def k(x, y):
    v = tl.load(x + tl.program_id(0) * 64 + tl.arange(0, 64))
    tl.atomic_add(y + tl.program_id(0) * 16 + v, 1, scope="cta")
""",
        [("one block's sums for all", "tl.program_id(0) * 16 + v", "tl.program_id(0) // 2 * 16 + v")],
        wrongIsDoubted=True,
    )


ORDER_CASES = [
    *(ticket(programs) for programs in (2, 20, 64)),
    stream_k_in_turn(),
    stream_k_fixup(),
    prefix(),
    lock(),
    look_back(),
    last_one(),
    barrier(),
    softmax_of_all(),
    queue(),
    queue_by_maxima(),
    ring(),
    sense(),
    greatest(),
    greatest_at_once(),
    histogram(),
    split_k(),
    own_places(),
]
