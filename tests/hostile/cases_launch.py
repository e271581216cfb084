# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Launch blocks: TOML that is deep, large, broken or of the wrong types, and values out of bounds."""

from harness import Case
from texts import BLOCK, changed, comment, kernel

CHECK = ["{tilescope}", "check", "k.py"]
RUN = ["{tilescope}", "run", "k.py", "--on", "cpu", "--dump", "{out}"]
PACKAGE = ["{tilescope}", "package", "k.py", "-o", "{out}"]
REPORT = ["{tilescope}", "report", "k.py", "-o", "{here}/out/r.html", "--on", "cpu"]
COMPILE = ["{tilescope}", "compile", "k.py", "--emit", "ttir"]
ALL = ["{tilescope}", "run", "k.py", "--on", "cpu", "--all-launches", "--json"]

DEEP = {
    "arrays": "a = " + "[" * 100_000,
    "arrays on lines": "a = " + "[\n" * 100_000,
    "closed arrays": "a = " + "[" * 4_000 + "]" * 4_000,
    "inline tables": "a = " + "{ a = " * 1_000,
    "long inline tables": "a = " + "{ a = " * 40_000,
    "dotted key": "a." * 4_000 + "a = 1",
    "long dotted key": "a." * 100_000 + "a = 1",
    "quoted dotted key": '"a".' * 2_000 + "a = 1",
    "dotted header": "[" + "a." * 4_000 + "a]",
    "array of tables": "[[" + "a." * 4_000 + "a]]",
    "headers": "\n".join("[" + ".".join("a" * depth) + "]" for depth in range(1, 400)),
    "nested in args": "[args]\nx_ptr = " + "{ shape = [" * 700,
}

BROKEN = {
    "no equals": "kernel",
    "two values": "kernel = 1 2",
    "open string": 'kernel = "k',
    "open long string": 'kernel = """k',
    "twice": "grid = [1]\ngrid = [2]",
    "bad escape": 'kernel = "\\q"',
    "control": 'kernel = "\x01"',
    "date": "[sizes]\nn = 1979-05-27",
    "huge number": "[sizes]\nn = 99999999999999999999999999",
    "many digits": "[sizes]\nn = " + "9" * 200_000,
    "wrong types": "kernel = 5\nname = []\ngrid = {}\nsizes = 1\nargs = 2\nconstexprs = 3\noptions = []\nwork = 1",
    "unknown keys": "nonsense = 1\n[more]\na = 1",
    "four extents": "grid = [1, 1, 1, 1]",
    "no extents": "grid = []",
    "nested grid": "grid = [[1]]",
    "large": "[sizes]\n" + "\n".join(f"k{i} = {i}" for i in range(60_000)),
    "not UTF-8 escape": 'kernel = "\\ud800"',
}

VALUES = {
    "negative extent": changed('shape = ["n"], init', 'shape = ["-n"], init'),
    "huge extent": changed('shape = ["n"], init', "shape = [9223372036854775807], init"),
    "overflowing shape": changed('shape = ["n"], init', "shape = [4294967296, 4294967296, 4], init"),
    "overflow behind a zero": changed('shape = ["n"], init', "shape = [0, 4611686018427387904, 16], init"),
    "many dimensions": changed('shape = ["n"], init', "shape = [" + "1, " * 200 + "], init"),
    "negative grid": changed('grid = ["cdiv(n, BLOCK)"]', "grid = [-1]"),
    "huge grid": changed('grid = ["cdiv(n, BLOCK)"]', "grid = [1, 70000]"),
    "division by zero": changed('grid = ["cdiv(n, BLOCK)"]', 'grid = ["n // 0"]'),
    "grid of text": changed('grid = ["cdiv(n, BLOCK)"]', "grid = [\"'a'\"]"),
    "unknown dtype": changed('dtype = "fp32", shape = ["n"], init', 'dtype = "fp33", shape = ["n"], init'),
    "no dtype": changed('dtype = "fp32", shape = ["n"], init', 'shape = ["n"], init'),
    "unknown init": changed('init = "ones"', 'init = "twos"'),
    "seed of text": changed('init = "ones"', 'init = "rand", seed = "\'a\'"'),
    "unknown scalar type": changed('n = "n"', 'n = { value = 1, type = "x7" }'),
    "empty scalar type": changed('n = "n"', 'n = { value = 1, type = "*" }'),
    "real as integer": changed('n = "n"', 'n = { value = 1.5, type = "i32" }'),
    "two thousand arguments": changed('n = "n"', "\n".join(f"a{i} = 1" for i in range(2000))),
    "syntax error": changed('n = "n"', 'n = "n +"'),
    "undefined name": changed('n = "n"', 'n = "m"'),
    "import": changed('n = "n"', 'n = "__import__(\'os\').system(\'touch {out}\')"'),
    "half a million brackets": changed('n = "n"', 'n = "' + "(" * 100_000 + '"'),
    "huge power": changed("n = 8", 'n = "10 ** 10000000"'),
    "power of power": changed("n = 8", 'n = "9 ** 9 ** 9 ** 9"'),
    "three million digits": changed("n = 8", 'n = "' + "7" * 250_000 + '"'),
    "huge list": changed("n = 8", 'n = "[0] * 10 ** 12"'),
    "huge text": changed("n = 8", "n = \"'a' * 10 ** 12\""),
    "shift": changed("n = 8", 'n = "1 << 10 ** 12"'),
    "beyond 64 bits": changed("n = 8", 'n = "2 ** 64"'),
    "listed twice": changed("[constexprs]", '[constexprs]\nx_ptr = 1'),
    "block of no power of two": changed('BLOCK = "8"', 'BLOCK = "7"'),
    "huge block": changed('BLOCK = "8"', 'BLOCK = "2 ** 40"'),
    "many warps": kernel(BLOCK + "[options]\nnum_warps = 100000\n"),
    "no warps": kernel(BLOCK + "[options]\nnum_warps = 0\n"),
    "stages of text": kernel(BLOCK + "[options]\nnum_stages = \"'many'\"\n"),
    "tensors beyond memory": changed('shape = ["n"], init', 'shape = [60000000000], init'),
}

# What each of them takes alone is little; a block has one budget.
MANY = {
    "forty large lists": changed("n = 8", "n = 8\n" + "\n".join(f'l{i} = "len([{i}] * 1000000)"' for i in range(40))),
    "forty large products": changed("n = 8", "n = 8\n" + "\n".join(f'p{i} = "len(str(7 ** 100000 * {i + 1}))"' for i in range(40))),
    "forty comprehensions": changed("n = 8", "n = 8\n" + "\n".join(
        f'c{i} = "sum([a * b for a in range(1000) for b in range(1000)])"' for i in range(40))),
    "lists of lists": changed("n = 8", "n = 8\n" + "\n".join(
        f'l{i} = "' + (f"l{i - 1} * 30" if i else "[0]") + '"' for i in range(12))),
}

# Odd, but all right.
FINE = {
    "empty block": kernel(""),
    "Windows line ends": kernel().replace("\n", "\r\n"),
    "tabs behind the mark": kernel().replace("# [sizes]", "# [sizes]\t"),
    "brackets in strings": kernel('kernel = "k" # ' + "[" * 1000 + "\n" + BLOCK),
    "many sizes": changed("n = 8", "n = 8\n" + "\n".join(f"k{i} = {i}" for i in range(2000))),
    "unknown size": changed("n = 8", "n = 8\nunused = 5"),
    "no elements": changed("n = 8", "n = 0"),
    "name of a path": changed("[sizes]", 'name = "../../etc"\n[sizes]'),
}


def cases():
    for name, toml in DEEP.items():
        for word, command in (("check", CHECK), ("run", RUN), ("report", REPORT), ("all launches", ALL)):
            yield Case("toml", f"{name}, {word}", command, {"k.py": kernel(toml + "\n")})
    for name, toml in BROKEN.items():
        for word, command in (("check", CHECK), ("package", PACKAGE)):
            yield Case("toml", f"{name}, {word}", command, {"k.py": kernel(toml + "\n")})
    unclosed = kernel().replace("# ///\n\n", "\n")
    yield Case("toml", "block that is not closed", CHECK, {"k.py": unclosed}, says="not closed")
    yield Case("toml", "thousand open blocks", CHECK, {"k.py": "# /// tilescope\n" * 1000 + kernel()})
    yield Case("toml", "thousand blocks", CHECK, {"k.py": kernel() + comment("grid = [1]") * 1000}, status=(0,), says="")
    for name, text in VALUES.items():
        yield Case("launch", name, RUN, {"k.py": text}, seconds=30, wants_memory="beyond memory" in name)
    for name, text in MANY.items():
        for word, command in (("check", CHECK), ("package", PACKAGE)):
            # A second, the start of the program and a machine that has other work.
            yield Case("launch", f"{name}, {word}", command, {"k.py": text}, status=(0, 1), says="", seconds=5)
    for name in ("overflowing shape", "huge grid", "huge power", "two thousand arguments", "many warps"):
        yield Case("launch", f"{name}, package", PACKAGE, {"k.py": VALUES[name]})
        yield Case("launch", f"{name}, JSON", CHECK + ["--json"], {"k.py": VALUES[name]}, says='"ok": false')
    for name, text in FINE.items():
        yield Case("launch", name, RUN[:-2], {"k.py": text}, status=(0, 1) if name == "empty block" else (0,), says="")
    for value in ("1e400", "nan", "-inf"):
        yield Case("launch", f"bounds of {value}", RUN, status=(0, 1), says="",
                   files={"k.py": changed('init = "ones"', f'init = "randint", low = "float(\'{value}\')", high = 5')})
