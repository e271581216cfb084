# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernel files that are deep, large or strange."""

from harness import Case
from texts import BODY, HEAD, kernel


def body(statements):
    return HEAD + "@triton.jit\ndef k(x_ptr, n: tl.constexpr):\n" + "".join(f"    {line}\n" for line in statements.split("\n"))


TEXTS = {
    "parentheses": body("x = " + "(" * 100_000 + "1" + ")" * 100_000),
    "open parentheses": body("x = " + "(" * 100_000), "brackets": body("x = " + "[" * 100_000 + "]" * 100_000),
    "braces": body("x = " + "{1:" * 100_000), "minus signs": body("x = " + "-" * 100_000 + "1"),
    "nots": body("x = " + "not " * 100_000 + "1"), "long sum": body("x = 1" + " + 1" * 100_000),
    "long comparison": body("x = 1" + " < 1" * 50_000), "powers": body("x = 2" + " ** 2" * 50_000),
    "attributes": body("x = tl" + ".a" * 100_000), "calls": body("x = tl" + "()" * 100_000),
    "lambdas": body("x = " + "lambda: " * 50_000 + "1"), "conditions": body("x = " + "1 if 1 else " * 50_000 + "1"),
    "nested ifs": HEAD + "@triton.jit\ndef k(x):\n" + "".join("    " * (i + 1) + "if x:\n" for i in range(2000)) + "    " * 2001 + "pass\n",
    "elifs": body("if n == 0:\n    pass\n" + "\n".join(f"elif n == {i}:\n    pass" for i in range(5000))),
    "decorators": HEAD + "@triton.jit\n" * 20_000 + "def k(x):\n    pass\n",
    "huge number": body("x = " + "9" * 50_000), "huge power": body("x = 10 ** 10 ** 10"), "huge shift": body("x = 1 << 10 ** 15"),
    "huge text": body("x = 'a' * 10 ** 12"), "huge range": body("x = tl.arange(0, 2 ** 30)"),
    "huge block": body("x = tl.zeros((2 ** 20, 2 ** 20, 2 ** 20), tl.float32)"),
    "endless unrolling": body("for i in tl.static_range(10 ** 12):\n    pass"),
    "recursion": HEAD + "@triton.jit\ndef f(x):\n    return f(x)\n\n@triton.jit\ndef k(x):\n    f(x)\n",
    "f-strings": body("x = " + "f'{" * 2000), "line continuation": body("x = \\\n" * 20_000 + "    1"),
    "null in a string": body("x = '\\0'"), "control characters": body("x\x01\x1b[2J = 1"),
    "direction marks": body("x = '\u202e' + y\u2066"), "names of many bytes": body("x" * 500_000 + " = y"),
    "lookalikes": body("\u0445 = \u0440 + 1"), "form feeds": HEAD + "\f" * 10_000 + "@triton.jit\ndef k(x:\n",
    "carriage returns": kernel(body=BODY.replace("tl.load", "tl.lod")).replace("\n", "\r"),
    "tabs and spaces": HEAD + "@triton.jit\ndef k(x):\n\tif x:\n        pass\n\t  pass\n",
    "only quotes": "'" * 100_001, "only backslashes": "\\" * 100_000, "only at signs": "@" * 100_000,
    "print of control characters": body("tl.static_print('\\x1b[2J\\x07')\nx = y"),
    "assertion of control characters": body("tl.static_assert(False, '\\x1b[2J')"),
}

FINE = ("nested ifs", "elifs", "decorators", "huge number", "long sum", "minus signs", "recursion", "null in a string", "carriage returns",
        "lookalikes", "huge range", "huge block", "endless unrolling", "long comparison", "nots", "conditions")


def cases():
    for name, text in TEXTS.items():
        fine = name in FINE
        yield Case("kernels", name, ["{tilescope}", "check", "k.py", "--time-limit", "20"], {"k.py": text},
                   status=(0, 1) if fine else (1,), says="" if fine else "error", seconds=60)
    loud = kernel(body=BODY.replace("    tl.store", "    tl.device_print('\\x1b[2J\\x07', x)\n    tl.store"))
    yield Case("kernels", "prints control characters when run", ["{tilescope}", "run", "k.py", "--on", "cpu"], {"k.py": loud},
               status=(0, 1), says="")
    yield Case("kernels", "two thousand kernels", ["{tilescope}", "check", "k.py", "--syntax-only"],
               {"k.py": HEAD + "".join(BODY.replace("def k(", f"def k{i}(") for i in range(2000))}, status=(0,), says="", seconds=60)
