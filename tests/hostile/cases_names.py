# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Names from launch blocks and IR that reach the names of files, and links that wait where files are made."""

import os

from harness import Case
from texts import BLOCK, BODY, HEAD, TTIR, comment, kernel, ttir

OUTSIDE = ("/abs", "../up", "a/b", "..", ".", ".hidden", "-rf", "{here}/outside", "x\\u0000y", "a\\nb", "\\u001b[2J")
SYMBOLS = ("/abs/name", "../up", "a/b", "..", ".hidden", "-rf", "\\00x", "\\0Ax", "\\1B[2Jx")


def argument(name):
    text = kernel(BLOCK.replace("x_ptr =", f'"{name}" ='))
    return {"k.py": text.replace("x_ptr", name) if name.isidentifier() else text}


def with_symbol(symbol):
    return ttir(TTIR.replace("@k(", f'@"{symbol}"('))


def link(target):
    return lambda path: os.symlink(target, path)


def untouched(ending):
    assert (ending.here / "outside").read_text() == "mine"


def cases():
    refused = "cannot be the name of a file|begin with neither"
    for name in OUTSIDE:
        shown = name.replace("{here}", "here")
        yield Case("names", f"argument {shown}, run", ["{tilescope}", "run", "k.py", "--on", "cpu", "--dump", "{out}"],
                   argument(name), says=refused)
        yield Case("names", f"argument {shown}, package", ["{tilescope}", "package", "k.py", "-o", "{out}"],
                   argument(name), says=refused)
    for name in OUTSIDE[:3]:
        yield Case("names", f"argument {name}, plain run", ["{tilescope}", "run", "k.py", "--on", "cpu"],
                   argument(name), says=refused)
        yield Case("names", f"argument {name}, report",
                   ["{tilescope}", "report", "k.py", "-o", "{here}/out/r.html", "--on", "cpu"],
                   {**argument(name), "out/x": ""}, says=refused)
        yield Case("names", f"argument {name}, JSON", ["{tilescope}", "check", "k.py", "--json"], argument(name),
                   says='"ok": false')
    long_name = "x" * 300
    yield Case("names", "argument of 300 bytes", ["{tilescope}", "run", "k.py", "--on", "cpu", "--dump", "{out}"],
               argument(long_name), says=refused)
    for symbol in SYMBOLS:
        yield Case("names", f"symbol {symbol}, out", ["{tilescope}", "compile", "k.ttir", "--emit", "ttir", "--out", "{out}"],
                   {"k.ttir": with_symbol(symbol)}, says=refused)
        yield Case("names", f"symbol {symbol}, passes", ["{tilescope}", "compile", "k.ttir", "--emit", "ttir", "--passes"],
                   {"k.ttir": with_symbol(symbol)}, says=refused)
    yield Case("names", "symbol in the stages' text", ["{tilescope}", "compile", "k.ttir", "--emit", "ttir"],
               {"k.ttir": with_symbol("/abs/name")}, status=(0,), says="/abs/name")

    launches = "".join(comment(f'name = "{name}"\n' + BLOCK) for name in ("../up", "/abs", "..", "-rf", "a/b"))
    for word, command in (("run", ["run", "k.py", "--on", "cpu", "--dump", "{out}"]),
                          ("compile", ["compile", "k.py", "--emit", "ttir", "--out", "{out}"]),
                          ("package", ["package", "k.py", "-o", "{out}"])):
        yield Case("names", f"launches, {word}", ["{tilescope}", *command, "--all-launches"],
                   {"k.py": launches + HEAD + BODY}, status=(0,), says="")

    dump = ["{tilescope}", "run", "k.py", "--on", "cpu", "--dump", "{out}"]
    for name, target in (("link to a file", "../outside"), ("link to nothing", "../new"), ("link to itself", "y_ptr.npy")):
        yield Case("names", f"{name} in the dump", dump,
                   {"k.py": kernel(), "outside": "mine", "out/y_ptr.npy": link(target)}, says="symbolic link",
                   check=untouched)
    yield Case("names", "pipe in the dump", dump, {"k.py": kernel(), "out/y_ptr.npy": os.mkfifo}, says="pipe or device")
    yield Case("names", "folder in the dump", dump, {"k.py": kernel(), "out/y_ptr.npy": os.mkdir}, says="a folder of this")
    yield Case("names", "dump is a file", dump, {"k.py": kernel(), "out": "mine"}, status=(3,))
    stages = ["{tilescope}", "compile", "k.py", "--emit", "ttir", "--out", "{out}"]
    yield Case("names", "link among the stages", stages,
               {"k.py": kernel(), "outside": "mine", "out/k.ttir": link("../outside")}, says="symbolic link", check=untouched)
    yield Case("names", "link among the passes", stages + ["--passes"],
               {"k.py": kernel(), "far/x": "", "out/k.passes": link("../far")}, status=(1, 3), says="cannot open the folder")
    yield Case("names", "output is a folder", ["{tilescope}", "package", "k.py", "-o", "{here}/d"],
               {"k.py": kernel(), "d": os.mkdir}, says="Is a directory")
    yield Case("names", "output is a link to nothing", ["{tilescope}", "package", "k.py", "-o", "{here}/l"],
               {"k.py": kernel(), "l": link("nowhere/at/all")}, says="No such file")
    yield Case("names", "output is a pipe without a reader", ["{tilescope}", "package", "k.py", "-o", "{here}/p"],
               {"k.py": kernel(), "p": os.mkfifo}, says="nothing reads")
    yield Case("names", "output is a device", ["{tilescope}", "package", "k.py", "-o", "/dev/null"],
               {"k.py": kernel()}, status=(0,), says="",
               check=lambda ending: __import__("stat").S_ISCHR(os.stat("/dev/null").st_mode) or 1 / 0)
    control = "k\x1b[2J\n.py"
    yield Case("names", "control characters in a path", ["{tilescope}", "check", control], {control: "def"}, says="x1b")
    yield Case("names", "file that looks like an option", ["{tilescope}", "check", "--", "-k.py"], {"-k.py": "def"})
    yield Case("names", "path of a megabyte", ["{tilescope}", "check", "k/" * 60_000 + "k.py"])
