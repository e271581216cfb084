# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Options of the command line that mean nothing, or far too much."""

from harness import Case
from texts import kernel

FILES = {"k.py": kernel()}


def case(name, words, **more):
    return Case("options", name, ["{tilescope}", *words], FILES, **{"status": (1, 2), "says": "error|not|require|unknown", **more})


def cases():
    check, run = ["check", "k.py"], ["run", "k.py", "--on", "cpu"]
    for option, values in {
        "--set": ("n", "n=", "=1", "n=1,n=", "m=5", "n=-1", "n=2**64", "n=(", "n=" + "9" * 5000, "n='a'", "n=\x1b[2J", "n=None"),
        "--constexpr": ("BLOCK=", "BLOCK=(", "BLOCK='x'", "BLOCK=7", "BLOCK=2**40", "x_ptr=5", "BLOCK=-1"),
        "--signature": ("x_ptr", "x_ptr=*fp31", "x_ptr=*" + "*" * 1000 + "fp32", "n=tensordesc<fp16[" + "1," * 1000 + "1]>",
                        "x_ptr=" + "<" * 10_000, "n="),
        "--option": ("num_warps=3", "num_warps=0", "num_warps=-4", "num_warps=1e9", "num_warps=99999999999999999999",
                     "num_warps='4'", "num_stages=-1", "num_stages=1000000", "maxnreg=-5"),
        "--target": ("cuda:0", "cuda:-90", "cuda:99999999999999", "hip:gfx942", "cuda", "\x1b[2J", "x" * 100_000),
        "--kernel": ("none", "", "../k", "k\nk"),
        "--launch": ("none", "-1", "99999999999999999999", "../0"),
    }.items():
        for value in values:
            shown = value if len(value) < 30 else value[:20] + "…"
            fine = value == "num_stages=1000000"
            yield case(f"{option}={shown!r}", [*run, f"{option}={value}"], **({"status": (0, 1), "says": ""} if fine else {}))
    for option, says in (("nonsense=1", "no option `nonsense`"), ("num_warp=4", "did you mean `num_warps`"),
                         ("\x1b[2J=1", "no option"), ("x" * 100_000 + "=1", "no option")):
        for word in (["check"], ["compile"], ["run"], ["profile"], ["package", "-o", "{out}"], ["report", "-o", "{out}.html"]):
            yield case(f"{word[0]} --option={option[:20]!r}", [*word, "k.py", "--option", option], status=(2,), says=says)
    for where in ("cud", "cuda:x", "cuda:-1", "cuda:99999999999", "ssh://", "ssh://-oProxyCommand=touch x", "ssh:///0", "\x1b[2J"):
        yield case(f"--on {where!r}", ["run", "k.py", "--on", where], status=(2,))
    for value in ("0", "-1", "nan", "inf", "1e300", "x"):
        yield case(f"--time-limit {value}", [*check, "--time-limit", value], status=(2,))
    for value in ("-1", "x", "1e9", "99999999999999999999"):
        yield case(f"--jobs {value}", [*check, "--jobs", value], status=(2,))
    yield case("many jobs", [*check, "--jobs", "4000000000"], status=(2,), says="not in range 1 to 4096")
    for value in ("nonsense", "ttir,,x", "\x1b[2J"):
        yield case(f"--emit {value!r}", ["compile", "k.py", "--emit", value], status=(2,))
    yield case("--all-launches without --out", ["compile", "k.py", "--all-launches"], status=(2,))
    yield case("report of unknown form", ["report", "k.py", "-o", "{here}/r.docx"], status=(2,), says="known report format")
    yield case("no file", ["check"], status=(2,), says="required")
    yield case("--import-path of nothing", [*check, "--import-path", "none"], status=(2,))
    yield case("unknown option", [*check, "--nonsense"], status=(2,))
    yield case("ten thousand sizes", [*run, *(f"--set=n={i}" for i in range(10_000))], status=(0, 1, 2), says="")
    yield case("runs beyond memory", [*run, "--set", "n=2**34"], status=(1,), says="error")
