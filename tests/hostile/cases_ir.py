# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""IR that is nested deeply, cut off, or of a size that no machine has."""

from harness import Case
from texts import TTIR, ttir

COMPILE = ["{tilescope}", "compile"]


def function(signature="%x: !tt.ptr<f32>", body="", attributes=""):
    return f"module {{\n  tt.func public @k({signature}) {attributes} {{\n{body}    tt.return\n  }}\n}}\n"


def typed(text):
    return function(f"%x: {text}")


TTIR_TEXTS = {
    "empty": "", "only spaces": " \n" * 1000, "only a comment": "// nothing\n", "empty module": "module {\n}\n",
    "cut off": TTIR[:300], "cut in a name": TTIR[:60], "twice": TTIR + TTIR, "words": "hello world",
    "Python": "def k():\n    pass\n", "LLVM IR": "define void @k() {\n ret void\n}\n", "PTX": ".version 8.0\n",
    "nested pointers": typed("!tt.ptr<" * 5_000 + "f32" + ">" * 5_000),
    "nested tuples": typed("tuple<" * 20_000 + "f32" + ">" * 20_000),
    "nested functions": typed("(" * 20_000), "nested vectors": typed("vector<4x" * 10_000),
    "nested attributes": function(attributes="attributes {a = " + "[" * 50_000 + "]" * 50_000 + "}"),
    "nested dictionaries": function(attributes="attributes {a = " + "{a = " * 30_000 + "1" + "}" * 30_000 + "}"),
    "nested locations": function(body="    %a = arith.constant 1 : i32 loc(" + "callsite(" * 20_000 + ")\n"),
    "nested regions": function(body="    scf.execute_region {\n" * 5_000 + "    scf.yield }\n" * 5_000),
    "nested modules": "module {" * 20_000 + "}" * 20_000,
    "nested parentheses": function(body="    %a = arith.constant " + "(" * 50_000 + "\n"),
    "nested affine": "#m = affine_map<(d0) -> (" + "(" * 50_000 + "d0",
    "alias of itself": "#a = [#a]\n" + TTIR, "type alias of itself": "!a = tuple<!a>\n" + typed("!a"),
    "tower of aliases": "".join(f"!a{i} = tuple<!a{i - 1}, !a{i - 1}>\n" if i else "!a0 = i32\n" for i in range(60)) + typed("!a59"),
    "unknown dialect": function(body="    \"nonsense.op\"() : () -> ()\n"),
    "unknown operation": function(body="    tt.nonsense\n"), "unknown type": typed("!tt.nonsense<5>"),
    "unknown attribute": function("%x: !tt.ptr<f32> {tt.nonsense = 5 : i32}"),
    "huge tensor": function(body="    %a = tt.make_range {end = 2147483647 : i32, start = 0 : i32} : tensor<2147483647xi32>\n"),
    "huge power of two": function(body="    %a = tt.make_range {end = 1073741824 : i32, start = 0 : i32} : tensor<1073741824xi32>\n"),
    "overflowing tensor": function(body="    %a = arith.constant dense<0> : tensor<4294967296x4294967296xi32>\n"),
    "dimension beyond 64 bits": typed("tensor<99999999999999999999999xi32>"),
    "negative range": function(body="    %a = tt.make_range {end = -8 : i32, start = 0 : i32} : tensor<8xi32>\n"),
    "many dimensions": typed("tensor<" + "1x" * 10_000 + "i32>"), "huge integer type": typed("i16777215"),
    "huger integer type": typed("i99999999999"), "no extents": typed("tensor<0xi32>"), "dynamic": typed("tensor<?xi32>"),
    "forty thousand arguments": function(", ".join(f"%a{i}: i32" for i in range(40_000))),
    "no kernel": "module {\n  tt.func private @f() {\n    tt.return\n  }\n}\n",
    "recursion": "module {\n  tt.func public @k() {\n    tt.call @k() : () -> ()\n    tt.return\n  }\n}\n",
    "call of nothing": "module {\n  tt.func public @k() {\n    tt.call @none() : () -> ()\n    tt.return\n  }\n}\n",
    "use before definition": function(body="    %b = arith.addi %a, %a : i32\n    %a = arith.constant 1 : i32\n"),
    "dense of many digits": function(body="    %a = arith.constant " + "9" * 20_000 + " : i32\n"),
    "hexadecimal blob": function(body="    %a = arith.constant dense<\"0x" + "0" * 1_000_001 + "\"> : tensor<8xi32>\n"),
    "resource": function(body="    %a = arith.constant dense_resource<none> : tensor<8xi32>\n"),
    "file to include": "{-# dialect_resources: { builtin: { a: \"0x08\" } } #-}\n" + TTIR[:40],
    "name of a megabyte": TTIR.replace("@k", "@" + "k" * 1_000_000),
    "control characters": TTIR.replace("@k", '@"\\1B[2J\\07"').replace("tt.load", "tt.lo\x1b[2Jad"),
    "warps of text": "module attributes {\"ttg.num-warps\" = \"four\"} {\n" + TTIR.split("\n", 1)[1],
    "huge constant loop": function(body="    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                                        "    %n = arith.constant 2147483647 : i32\n    scf.for %i = %c0 to %n step %c1 : i32 {\n    }\n"),
}

TTGIR_HEAD = "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = %s : i32, ttg.target = \"%s\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
BLOCKED = "#b = #ttg.blocked<{sizePerThread = [%s], threadsPerWarp = [%s], warpsPerCTA = [%s], order = [%s]}>\n"


def ttgir(warps="4", target="cuda:90", blocked=("1", "32", "4", "0"), tensor="tensor<128xi32, #b>"):
    return BLOCKED % blocked + TTGIR_HEAD % (warps, target) + \
        f"  tt.func public @k() {{\n    %a = arith.constant dense<0> : {tensor}\n    tt.return\n  }}\n}}\n"


TTGIR_TEXTS = {
    "empty": "", "empty module": "module {\n}\n", "no warps": ttgir(warps="0"), "negative warps": ttgir(warps="-4"),
    "many warps": ttgir(warps="1000000"), "odd warps": ttgir(warps="3"), "unknown target": ttgir(target="x"),
    "empty target": ttgir(target=""), "negative target": ttgir(target="cuda:-1"), "large target": ttgir(target="cuda:9999999999"),
    "no threads": ttgir(blocked=("1", "0", "4", "0")), "odd threads": ttgir(blocked=("1", "33", "4", "0")),
    "negative size": ttgir(blocked=("-1", "32", "4", "0")), "huge size": ttgir(blocked=("1073741824", "32", "4", "0")),
    "order out of range": ttgir(blocked=("1", "32", "4", "7")), "negative order": ttgir(blocked=("1", "32", "4", "-1")),
    "order of another rank": ttgir(blocked=("1", "32", "4", "1, 0")), "empty layout": ttgir(blocked=("", "", "", "")),
    "tensor of another rank": ttgir(tensor="tensor<8x8xi32, #b>"), "huge tensor": ttgir(tensor="tensor<1073741824xi32, #b>"),
    "no layout": ttgir(tensor="tensor<128xi32>"), "overflowing tensor": ttgir(tensor="tensor<4611686018427387904x16xi32, #b>"),
    "slice out of range": ttgir(tensor="tensor<128xi32, #ttg.slice<{dim = 7, parent = #b}>>"),
    "nested slices": ttgir(tensor="tensor<128xi32, " + "#ttg.slice<{dim = 0, parent = " * 20_000),
}

LLVM_TEXTS = {
    "empty": "", "words": "hello world", "cut off": "define void @k(", "no kernel": "declare void @f()\n",
    "nested types": "define void @k(" + "{" * 100_000, "closed nested types": "@g = global " + "{" * 5_000 + "i32" + "}" * 5_000 + " undef\n",
    "nested arrays": "@g = global " + "[1 x " * 50_000, "nested constants": "@g = global i64 " + "ptrtoint (" * 30_000,
    "nested metadata": "!0 = !{" * 50_000, "huge array": "@g = global [9223372036854775807 x i64] zeroinitializer\ndefine void @k() {\n ret void\n}\n",
    "huge integer": "define void @k(i8388608 %a) {\n ret void\n}\n", "huger integer": "define void @k(i99999999999 %a) {\n ret void\n}\n",
    "type of itself": "%a = type { %a }\n@g = global %a zeroinitializer\n", "unknown triple": "target triple = \"x-y-z\"\ndefine void @k() {\n ret void\n}\n",
    "bad data layout": "target datalayout = \"nonsense\"\ndefine void @k() {\n ret void\n}\n",
    "inline assembly": "define void @k() {\n call void asm sideeffect \"nonsense.op;\", \"\"()\n ret void\n}\n",
    "module assembly": "module asm \".include \\22/etc/passwd\\22\"\ndefine void @k() {\n ret void\n}\n",
    "dialect": "module {\n  llvm.func @k() {\n    llvm.return\n  }\n", "bitcode": "BC\xc0\xde",
}

PTX_TEXTS = {
    "empty": "", "words": "hello world", "only a version": ".version 8.0\n", "cut off": ".version 8.0\n.target sm_80\n.visible .entry k(",
    "no entry": ".version 8.0\n.target sm_80\n.address_size 64\n", "unknown target": ".version 8.0\n.target sm_1\n.visible .entry k() { ret; }\n",
    "huge version": ".version 99999999999.0\n.target sm_80\n.visible .entry k() { ret; }\n",
    "nested braces": ".version 8.0\n.target sm_80\n.visible .entry k() " + "{" * 100_000,
    "nested parentheses": ".version 8.0\n.target sm_80\n.visible .entry k(" + "(" * 100_000,
    "huge parameter": ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .b8 x[9999999999999]) { ret; }\n",
    "huge registers": ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r<999999999999>; ret; }\n",
    "open comment": ".version 8.0\n/* nothing", "open string": ".version 8.0\n.file 1 \"x",
    "name of a megabyte": ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + "k" * 1_000_000 + "() { ret; }\n",
    "file with a huge number": ".version 8.0\n.target sm_80\n.file 99999999999999999999 \"x\"\n.visible .entry k() { .loc 99999999999999999999 1 1\n ret; }\n",
}

# Those that are odd and compile, or may: unused values go before anybody looks at them.
FINE = {"ttir": ("unknown attribute", "huge constant loop", "huge integer type", "name of a megabyte",
                 "warps of text", "recursion", "huger integer type", "unknown dialect", "nested modules",
                 "twice", "nested pointers", "overflowing tensor", "forty thousand arguments",
                 "resource", "nested tuples"),
        "ttgir": ("unknown target", "empty target", "negative target", "large target", "no threads", "odd threads", "negative size",
                  "huge size", "huge tensor", "overflowing tensor", "odd warps", "tensor of another rank"),
        "ll": ("huge array", "huge integer", "unknown triple", "bad data layout", "inline assembly", "module assembly", "nested types"),
        "ptx": ("unknown target", "huge version", "huge parameter", "huge registers", "open comment",
                "name of a megabyte", "file with a huge number", "open string", "nested braces", "nested parentheses", "cut off")}

# The work that their time may run out on.
SLOW = {"tower of aliases": TTIR_TEXTS.pop("tower of aliases"), "dense of many digits": TTIR_TEXTS.pop("dense of many digits")}


def cases():
    for ending, texts in (("ttir", TTIR_TEXTS), ("ttgir", TTGIR_TEXTS), ("ll", LLVM_TEXTS), ("ptx", PTX_TEXTS)):
        for name, text in texts.items():
            fine = name in FINE[ending]
            # What an assembler or a disassembler of this machine makes of it is another question: they may be missing.
            yield Case("ir", f"{name}, {ending}", [*COMPILE, f"k.{ending}", "--emit", "llir" if ending in ("ttir", "ttgir") else "ptx"],
                       {f"k.{ending}": text.encode("latin-1")}, status=(0, 1) if fine else (1,), says="" if fine else "error", seconds=40)
    for name, text in SLOW.items():
        yield Case("ir", f"{name}, check", ["{tilescope}", "check", "k.ttir", "--time-limit", "5"], {"k.ttir": text}, status=(0, 1),
                   says="")
    for name in ("empty", "empty module", "cut off", "huge tensor", "overflowing tensor", "no kernel", "nested pointers",
                 "name of a megabyte"):
        yield Case("ir", f"{name}, run", ["{tilescope}", "run", "k.ttir", "--on", "cpu"], {"k.ttir": ttir(TTIR_TEXTS[name])},
                   status=(0, 1) if name in FINE["ttir"] else (1,), says="", seconds=40)
    for name in ("empty", "words", "nested attributes"):
        fine = name in FINE["ttir"]
        yield Case("ir", f"{name}, check", ["{tilescope}", "check", "k.ttir"], {"k.ttir": TTIR_TEXTS[name]}, seconds=40,
                   status=(0, 1) if fine else (1,), says="" if fine else "error")
