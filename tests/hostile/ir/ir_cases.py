# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels, IR and PTX that try to break the compiler: nesting, chains, odd names, huge numbers, half files.

Each case says how it must end. Nothing of it may crash, hang, exhaust memory or be passed over in silence.
"""

from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    #: Its ending decides at which stage the text enters.
    file: str
    text: str | bytes
    #: `error`: refused with a place; `ok`: compiles to PTX; `any`: one of the two.
    ends: str = "error"
    # : Text that one of the messages must contain.
    says: str = ""
    arguments: list = field(default_factory=list)


DEEP = 100_000
PTX_HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def ttir(body, arguments="%p: !tt.ptr<f32>", attributes=""):
    return f"module {{\n  tt.func public @k({arguments}) {attributes}{{\n{body}\n    tt.return\n  }}\n}}\n"


def ttgir(body, arguments="%p: !tt.ptr<f32>", layouts="", attributes=""):
    options = '"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32'
    return (f"{layouts}\nmodule attributes {{{attributes or options}}} {{\n"
            f"  tt.func public @k({arguments}) {{\n{body}\n    tt.return\n  }}\n}}\n")


def llvm_dialect(body, arguments="%p: !llvm.ptr<1>"):
    return (f"module {{\n  llvm.func @k({arguments}) attributes {{nvvm.kernel}} {{\n{body}\n    llvm.return\n  }}\n}}\n")


def ll(body, arguments="ptr addrspace(1) %p", before="", after=""):
    return f"{before}\ndefine ptx_kernel void @k({arguments}) {{\n{body}\n  ret void\n}}\n{after}\n"


def ptx(body="", before="", parameters=".param .u64 k_param_0"):
    return (f"{before or PTX_HEAD}\n"
            f".visible .entry k({parameters})\n{{\n{body}\n  ret;\n}}\n")


def kernel(body, parameters="p", before=""):
    lines = "\n".join("    " + line for line in body.split("\n"))
    return (f"import triton\nimport triton.language as tl\n{before}\n\n@triton.jit\ndef k({parameters}):\n{lines}\n")


def nested(opener, middle, closer, depth=DEEP):
    return opener * depth + middle + closer * depth


TOO_DEEP = "nested too deeply"


def nesting_cases():
    """100,000 levels of everything that nests, in every form that is read."""
    for name, text in {
        "tuple type": nested("tuple<", "i32", ">"),
        "pointer type": nested("!tt.ptr<", "f32", ">"),
        "complex type": nested("complex<", "f32", ">"),
        "function type": nested("(", "", ") -> ()"),
        "memref type": nested("memref<1x", "f32", ">"),
        "tensor type": nested("tensor<4x", "f32", ">"),
        "llvm struct type": nested("!llvm.struct<(", "i32", ")>"),
        "llvm array type": nested("!llvm.array<2 x ", "i32", ">"),
        "opaque type": nested("!foo.bar<", "x", ">"),
    }.items():
        yield Case(f"ttir, nested {name}", "k.ttir", ttir("", f"%p: {text}"), says=TOO_DEEP)
    for name, text in {
        "array attribute": nested("[", "1", "]"),
        "dictionary attribute": nested("{a = ", "1 : i32", "}"),
        "dense literal": f"dense<{nested('[', '1', ']')}> : tensor<1xi32>",
        "opaque attribute": nested("#foo.bar<", "x", ">"),
        "affine map": f"affine_map<(d0) -> ({nested('(', 'd0', ')')})>",
        "unary minus": f"affine_map<(d0) -> ({'-' * DEEP}d0)>",
        "sum": f"affine_map<(d0) -> ({'d0 + ' * DEEP}d0)>",
        "string of brackets": '"' + "(" * DEEP + '"',
    }.items():
        says = "" if name in ("unary minus", "sum", "string of brackets") else TOO_DEEP
        ends = "any" if not says else "error"
        yield Case(f"ttir, {name}", "k.ttir", f"module attributes {{a = {text}}} {{}}\n", ends, says)
    yield Case("ttir, nested slices", "k.ttgir",
               f"#b = {nested('#ttg.slice<{dim = 0, parent = ', '#ttg.blocked<{}>', '}>')}\n", says=TOO_DEEP)
    yield Case("ttir, nested locations", "k.ttir",
               ttir(f'    %c = arith.constant 1 : i32 loc({nested(chr(34) + "a" + chr(34) + "(", "unknown", ")")})'),
               says=TOO_DEEP)
    yield Case("ttir, nested call sites", "k.ttir",
               ttir(f"    %c = arith.constant 1 : i32 loc({nested('callsite(', 'unknown', ' at unknown)')})"),
               says=TOO_DEEP)
    yield Case("ttir, nested modules", "k.ttir", nested("module {\n", "", "}\n"), says=TOO_DEEP)
    yield Case("ttir, nested ifs", "k.ttir",
               ttir("%c = arith.constant true\n" + nested("scf.if %c {\n", "", "}\n")), says=TOO_DEEP)
    yield Case("ttir, nested generic regions", "k.ttir", nested('"a.b"() ({\n', "", '}) : () -> ()\n'), says=TOO_DEEP)
    yield Case("ttir, openers only", "k.ttir", "(" * DEEP, says=TOO_DEEP)
    yield Case("ttir, closers only", "k.ttir", ")" * DEEP)
    yield Case("ttir, angles only", "k.ttir", "!tt.ptr<" * DEEP, says=TOO_DEEP)
    yield Case("ttir, alias chain of locations", "k.ttir",
               "#l0 = loc(\"a\":1:1)\n" + "".join(f"#l{i} = loc(callsite(#l{i - 1} at #l0))\n" for i in range(1, 20000)) +
               ttir("    %c = arith.constant 1 : i32 loc(#l19999)"), says=TOO_DEEP)
    yield Case("ttir, aliases that double", "k.ttir",
               "#a0 = [1]\n" + "".join(f"#a{i} = [#a{i - 1}, #a{i - 1}]\n" for i in range(1, 70)) +
               "module attributes {a = #a69} {}\n", says="stands for more than")
    yield Case("ttir, types that double", "k.ttir",
               "!a0 = tuple<i1>\n" + "".join(f"!a{i} = tuple<!a{i - 1}, !a{i - 1}>\n" for i in range(1, 70)) +
               ttir("", "%p: !a69"), says="stands for more than")
    yield Case("ttir, aliases on one line", "k.ttir",
               " #a0 = [1]" + "".join(f" #a{i} = [#a{i - 1}, #a{i - 1}]" for i in range(1, 70)) +
               "\nmodule attributes {a = #a69} {}\n", says="stands for more than")
    yield Case("ttgir, nested types", "k.ttgir", ttgir("", f"%p: {nested('tuple<', 'i32', '>')}"), says=TOO_DEEP)
    yield Case("llvm dialect, nested structs", "k.mlir",
               llvm_dialect("", f"%p: {nested('!llvm.struct<(', 'i32', ')>')}"), says=TOO_DEEP)
    for name, text in {
        "struct type": f"%T = type {nested('{', 'i32', '}')}",
        "array type": f"%T = type {nested('[2 x ', 'i32', ']')}",
        "packed struct type": f"%T = type {nested('<{', 'i32', '}>')}",
        "metadata": f"!0 = {nested('!{', '', '}')}",
        "constant expression": f"@g = global ptr {nested('getelementptr (i8, ptr ', 'null', ', i64 1)')}",
        "constant array": f"@g = global i32 {nested('[i32 ', '1', ']')}",
        "value type": f"@g = global {nested('{', 'i32', '}')} zeroinitializer",
    }.items():
        yield Case(f"llvm ir, nested {name}", "k.ll", ll("", before=text), says=TOO_DEEP)
    yield Case("llvm ir, chain of types", "k.ll",
               ll("", before="%T0 = type { i32 }\n" + "".join(f"%T{i} = type {{ %T{i - 1} }}\n" for i in range(1, 3000))),
               "any")
    yield Case("llvm ir, chain of metadata", "k.ll",
               ll("", after="!named = !{!0}\n" + "".join(f"!{i} = !{{!{i + 1}}}\n" for i in range(50000)) +
                  "!50000 = !{}\n"), "any")
    yield Case("ptx, nested blocks", "k.ptx", ptx(nested("{\n", "", "}\n")), says=TOO_DEEP)
    yield Case("ptx, nested parentheses", "k.ptx", ptx(f"mov.u32 %r1, {nested('(', '1', ')')};"), says=TOO_DEEP)


def python_cases():
    """Deep and long sources through lexer, parser, frontend and destructors."""
    for name, text in {
        "parentheses": nested("(", "1", ")"),
        "brackets": nested("[", "1", "]"),
        "braces": nested("{1: ", "1", "}"),
        "calls": nested("tl.abs(", "1", ")"),
        "subscripts": nested("p[", "0", "]"),
        "unary minus": "-" * DEEP + "1",
        "not": "not " * DEEP + "1",
        "invert": "~" * DEEP + "1",
        "lambdas": "lambda: " * DEEP + "1",
        "conditionals": "1 if 1 else " * DEEP + "1",
        "attributes": "p" + ".a" * DEEP,
        "call chain": "p" + "()" * DEEP,
        "subscript chain": "p" + "[0]" * DEEP,
        "powers": "2 ** " * DEEP + "2",
        "comparisons": "1 < " * DEEP + "1",
        "assignment chain": "y = " * DEEP + "1",
        "walrus": nested("(y := ", "1", ")"),
        "f strings": nested("f'{", "1", "}'"),
        "awaits": "await " * DEEP + "p",
        "stars": "*" * DEEP + "p",
    }.items():
        yield Case(f"python, {name}", "k.py", kernel(f"x = {text}"))
    for name, text in {
        "sum": "1 + " * 1_000_000 + "1",
        "and": "1 and " * 1_000_000 + "1",
        "string concatenation": "'a' " * 1_000_000,
    }.items():
        yield Case(f"python, a million terms: {name}", "k.py", kernel(f"x = {text}"), "any")
    yield Case("python, nested ifs", "k.py",
               kernel("\n".join(" " * i + "if p:" for i in range(3000)) + "\n" + " " * 3000 + "pass"))
    yield Case("python, nested defs", "k.py",
               "\n".join(" " * i + "def f():" for i in range(3000)) + "\n" + " " * 3000 + "pass\n")
    yield Case("python, nested loops", "k.py",
               kernel("\n".join(" " * i + f"for i{i} in range(2):" for i in range(150)) + "\n" + " " * 150 + "pass"),
               "any")
    yield Case("python, elif chain", "k.py", kernel("if p:\n    pass\n" + "elif p:\n    pass\n" * 20000), "any")
    yield Case("python, open brackets only", "k.py", "(" * DEEP)
    yield Case("python, decorators", "k.py", "@triton.jit\n" * DEEP + "def k(p):\n    pass\n", "any")
    yield Case("python, one long line", "k.py", "x = '" + "a" * 5_000_000 + "'\n", "error")
    yield Case("python, digits", "k.py", kernel("x = " + "9" * 50_000), "any")
    yield Case("python, shift", "k.py", kernel("x = 1 << (1 << 62)"))
    yield Case("python, power", "k.py", kernel("x: tl.constexpr = 10 ** 10 ** 10"))
    yield Case("python, repeated string", "k.py", kernel("x: tl.constexpr = 'a' * (1 << 40)"))
    yield Case("python, range", "k.py", kernel("for i in tl.static_range(1 << 40):\n    pass"))
    yield Case("python, huge block", "k.py", kernel("x = tl.zeros([1 << 40], tl.float32)"))
    yield Case("python, block of many dimensions", "k.py", kernel(f"x = tl.zeros([{'1, ' * 5000}], tl.float32)"), "any")
    yield Case("python, ten thousand parameters", "k.py",
               kernel("pass", ", ".join(f"a{i}" for i in range(10000))), "any")
    yield Case("python, recursion", "k.py", kernel("k(p)"))
    yield Case("python, NULs", "k.py", kernel("x = 1\0\0"))
    yield Case("python, not UTF-8", "k.py", b"\xff\xfe\x00@triton.jit\ndef k(p):\n  pass\n")
    yield Case("python, a name with controls", "k.py", kernel("x = \x1b[31mred"))
    yield Case("python, empty", "k.py", "")


def symbol_cases():
    """Names that files, terminals and assemblers could take for something else."""
    store = "    %c = arith.constant 1.0 : f32\n    tt.store %p, %c : !tt.ptr<f32>"
    for name, symbol in {
        "absolute path": '"/tmp/tilescope-was-here"', "empty": '""', "dots": '".."', "slashes": '"a/../../b"',
        "unicode": '"größe_内核"', "quotes": '"a\\"b"', "newline": '"a\\0Ab"', "escape": '"\\1B[31mred"', "NUL": '"a\\00b"',
        "space": '"a b"', "intrinsic": '"llvm.memcpy"', "nvvm intrinsic": '"llvm.nvvm.barrier0"', "printf": '"vprintf"',
        "libdevice": '"__nv_expf"', "keyword": '".entry"', "long": '"' + "a" * 100_000 + '"', "percent": '"%s%n"',
        "html": '"<script>alert(1)</script>"', "digit": '"1k"', "markdown": '"a|b`c`"',
    }.items():
        ends = {"empty": "error"}.get(name, "any")
        yield Case(f"ttir, symbol: {name}", "k.ttir", ttir(store).replace("@k", "@" + symbol), ends)
        yield Case(f"llvm ir, symbol: {name}", "k.ll",
                   ll("  store float 1.0, ptr addrspace(1) %p").replace("@k", "@" + symbol.replace('\\"', "\\22")), "any")
    yield Case("ptx, symbol with a path", "k.ptx", ptx().replace(" k(", " /tmp/k("))
    yield Case("ttir, odd argument names", "k.ttir", ttir("", "%\"../../a\": !tt.ptr<f32>"))


def assembly_cases():
    """Inline assembly whose constraints fit neither each other nor the operands."""
    for constraints in ("", "=", "=r,", "@", "=r,@$4", "=q,r", "r", "=r,r,r,r", "=r,{abc", "=&&r,r", "=r,r,~{memory",
                        "=*r,r", "=1,r", "=r,9", "=r,1", "=r,=r", "|", "=r|r,r", "=r,!r", "=r,#", "=r,^Yz", "=r,{}",
                        "=r,i", "=r,m", "=X,X", "+r", "=r,r,~", "=r r", "=f,h", "=l,r", "=d,q", "=r," * 5000 + "r"):
        yield Case(f"python, assembly constraints {constraints[:20]}", "k.py", kernel(
            "i = tl.arange(0, 128)\nx = tl.load(p + i)\n"
            f"y = tl.inline_asm_elementwise('mov.b32 $0, $1;', '{constraints}', [x], dtype=tl.int32, is_pure=True, pack=1)\n"
            "tl.store(p + i, y)"), "any", arguments=["--signature", "p=*i32"])
        yield Case(f"llvm ir, assembly constraints {constraints[:20]}", "k.ll", ll(
            f'  %x = call i32 asm "mov.b32 $0, $1;", "{constraints}"(i32 1)\n  store i32 %x, ptr addrspace(1) %p'), "any")
    for name, text in {"braces": "{" * 100_000, "registers": ".reg .b32 t<2147483647>;", "pairs": "mov.b32 {}, $1;",
                       "pair of pairs": "mov.b32 {$0, $1}, {$1, $0};", "branch": "bra;", "endless": "L: bra L;",
                       "end of body": "} } .func f() { ret; }", "percent": "%s%n", "parameter": "mov.b32 $99, $1;",
                       "setp": "setp.lt.s32 {_, _}, $1, $1;", "quote": '\\"', "NUL": "\\0"}.items():
        yield Case(f"python, assembly {name}", "k.py", kernel(
            "i = tl.arange(0, 128)\nx = tl.load(p + i)\n"
            f"y = tl.inline_asm_elementwise('{text}', '=r,r', [x], dtype=tl.int32, is_pure=True, pack=1)\n"
            "tl.store(p + i, y)"), "any", arguments=["--signature", "p=*i32"])


def document_cases():
    """Half files, empty ones, other people's dialects, several kernels or none, operations that do not verify."""
    for ending in ("ttir", "ttgir", "mlir", "ll", "llir", "ptx"):
        yield Case(f"{ending}, empty", f"k.{ending}", "")
        yield Case(f"{ending}, blank", f"k.{ending}", "\n  \n\n")
        yield Case(f"{ending}, a comment", f"k.{ending}", "; a\n" if ending in ("ll", "llir") else "// a\n")
        yield Case(f"{ending}, NULs", f"k.{ending}", b"\0" * 1000)
        yield Case(f"{ending}, noise", f"k.{ending}", bytes(range(256)) * 20)
        yield Case(f"{ending}, Python", f"k.{ending}", kernel("pass"))
    yield Case("ttir, no kernel", "k.ttir", "module {}\n", says="no kernel")
    yield Case("ttir, a declaration only", "k.ttir", "module { tt.func private @f(!tt.ptr<f32>) }\n", says="no kernel")
    yield Case("ttir, two kernels", "k.ttir",
               "module {\n tt.func public @a() { tt.return }\n tt.func public @b() { tt.return }\n}\n", "any")
    yield Case("ttir, one name twice", "k.ttir",
               "module {\n tt.func public @a() { tt.return }\n tt.func public @a() { tt.return }\n}\n")
    yield Case("ttir, unknown dialect", "k.ttir", ttir("    foo.bar"))
    yield Case("ttir, unknown operation", "k.ttir", ttir("    tt.nonsense %p"))
    yield Case("ttir, unverifiable", "k.ttir", ttir('    %x = "arith.addi"(%p, %p) : (!tt.ptr<f32>, !tt.ptr<f32>) -> i32'))
    yield Case("ttir, no terminator", "k.ttir", "module { tt.func public @k() { } }\n")
    yield Case("ttir, undefined value", "k.ttir", ttir("    tt.store %q, %q : !tt.ptr<f32>"))
    yield Case("ttir, calls itself", "k.ttir", ttir("    tt.call @k(%p) : (!tt.ptr<f32>) -> ()"), "any")
    yield Case("ttir, calls nothing", "k.ttir", ttir("    tt.call @f(%p) : (!tt.ptr<f32>) -> ()"))
    yield Case("ttir, returns a value", "k.ttir",
               "module { tt.func public @k() -> i32 {\n %c = arith.constant 1 : i32\n tt.return %c : i32 } }\n", "any")
    yield Case("ttir, foreign operations", "k.ttir",
               "func.func @k(%m: memref<4xf32>) {\n  %c = arith.constant 0 : index\n  return\n}\n")
    yield Case("ttir, endless blocks", "k.ttir", ttir("    cf.br ^a\n  ^a:\n    cf.br ^a\n  ^b:"), "any")
    yield Case("ttgir, no attributes", "k.ttgir", "module { tt.func public @k() { tt.return } }\n", "any")
    blocked = "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
    for name, text in {
        "zero warps": "4 : i32, ttg.target", "negative warps": "4 : i32, ttg.target", "three warps": "4 : i32, ttg.target",
        "many warps": "4 : i32, ttg.target"}.items():
        number = {"zero warps": 0, "negative warps": -1, "three warps": 3, "many warps": 4096}[name]
        yield Case(f"ttgir, {name}", "k.ttgir",
                   ttgir("    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>", layouts=blocked)
                   .replace(text, text.replace("4 :", f"{number} :")))
    yield Case("ttgir, warps of the wrong type", "k.ttgir",
               ttgir("", attributes='"ttg.num-warps" = "four", "ttg.target" = 7 : i32'))
    yield Case("ttgir, target of nowhere", "k.ttgir", ttgir("").replace("cuda:90", "cuda:99999999999"), "any")
    yield Case("ttgir, target hip", "k.ttgir", ttgir("").replace("cuda:90", "hip:gfx942"), "any")
    for name, layout in {
        "zero threads": "sizePerThread = [1], threadsPerWarp = [0], warpsPerCTA = [4], order = [0]",
        "three threads": "sizePerThread = [1], threadsPerWarp = [3], warpsPerCTA = [4], order = [0]",
        "negative": "sizePerThread = [-1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]",
        "wrong order": "sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [7]",
        "wrong rank": "sizePerThread = [1, 1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]",
        "huge": "sizePerThread = [2147483648], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]",
        "nothing": "",
    }.items():
        yield Case(f"ttgir, layout: {name}", "k.ttgir",
                   ttgir("    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>",
                         layouts=f"#b = #ttg.blocked<{{{layout}}}>"))
    yield Case("llvm ir, no kernel", "k.ll", "define void @f() {\n  ret void\n}\n", says="no kernel")
    yield Case("llvm ir, unverifiable", "k.ll", ll("  %x = add i32 1, 2\n  br label %a\na:\n  %z = phi i32 [ 1, %b ]"))
    yield Case("llvm ir, use before definition", "k.ll",
               ll("  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  store i32 %b, ptr addrspace(1) %p"))
    yield Case("llvm ir, other machine's intrinsic", "k.ll",
               ll("  %x = call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> zeroinitializer)\n"
                  "  store <4 x float> %x, ptr addrspace(1) %p",
                  before="declare <4 x float> @llvm.x86.sse.rcp.ps(<4 x float>)"))
    yield Case("llvm ir, other machine", "k.ll", 'target triple = "x86_64-unknown-linux-gnu"\n' + ll(""), "any")
    yield Case("llvm ir, undefined function", "k.ll", ll("  call void @f()", before="declare void @f()"), "any")
    yield Case("llvm ir, odd datalayout", "k.ll", 'target datalayout = "x-p:7:9-nonsense"\n' + ll(""))
    yield Case("llvm ir, wide integer", "k.ll", ll("  store i8388607 1, ptr addrspace(1) %p"), "any")
    yield Case("llvm ir, huge allocation", "k.ll", ll("  %a = alloca [1099511627776 x i8]\n  store i8 1, ptr %a"), "any")
    yield Case("llvm ir, module assembly", "k.ll", 'module asm ".entry x() { ret; }"\n' + ll(""), "any")
    yield Case("llvm ir, ten thousand arguments", "k.ll",
               ll("", ", ".join(f"i32 %a{i}" for i in range(10000))), "any")
    yield Case("ptx, no kernel", "k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n", says="no kernel")
    yield Case("ptx, cut off", "k.ptx", ptx()[:90], "any")
    yield Case("ptx, not PTX", "k.ptx", ptx("  this is not an instruction;"), "any")
    yield Case("ptx, target of the future", "k.ptx", ptx().replace("sm_90", "sm_999"), "any")
    yield Case("ptx, huge parameter", "k.ptx", ptx(parameters=".param .align 8 .b8 k_param_0[99999999999999999999]"), "any")
    yield Case("ptx, ten thousand parameters", "k.ptx",
               ptx(parameters=", ".join(f".param .u32 k_param_{i}" for i in range(10000))), "any")


def size_cases():
    """Numbers far beyond what any machine has."""
    for name, body in {
        "2^40 elements": "    %c = arith.constant dense<1.0> : tensor<1099511627776xf32>",
        "2^62 elements": "    %c = arith.constant dense<1.0> : tensor<2147483648x2147483648xf32>",
        "elements beyond 64 bits": "    %c = arith.constant dense<1.0> : tensor<4294967296x4294967296x4294967296xf32>",
        "many dimensions": f"    %c = arith.constant dense<1.0> : tensor<{'1x' * 2000}f32>",
        "not a power of two": "    %c = arith.constant dense<1.0> : tensor<100xf32>",
        "no elements": "    %c = arith.constant dense<1.0> : tensor<0xf32>",
        "unknown extent": '    %c = "tt.splat"(%p) : (!tt.ptr<f32>) -> tensor<?x!tt.ptr<f32>>',
        "unknown rank": '    %c = "tt.splat"(%p) : (!tt.ptr<f32>) -> tensor<*x!tt.ptr<f32>>',
        "huge range": "    %c = tt.make_range {end = 2147483647 : i32, start = 0 : i32} : tensor<2147483647xi32>",
        "negative range": "    %c = tt.make_range {end = -5 : i32, start = 5 : i32} : tensor<8xi32>",
        "wide integer": "    %c = arith.constant dense<1> : tensor<4xi8388608>",
        "odd float": "    %c = arith.constant dense<1.0> : tensor<4xf80>",
    }.items():
        use = "\n    %x = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>"
        ends = "any" if name in ("no elements", "unknown extent", "unknown rank", "odd float", "wide integer",
                                 "many dimensions", "not a power of two") else "error"
        yield Case(f"ttir, {name}", "k.ttir", ttir(body + use), ends)
    yield Case("ttir, a stored tensor of 2^40 elements", "k.ttir", ttir(
        "    %x = tt.splat %p : !tt.ptr<f32> -> tensor<1099511627776x!tt.ptr<f32>>\n"
        "    %c = arith.constant dense<1.0> : tensor<1099511627776xf32>\n"
        "    tt.store %x, %c : tensor<1099511627776x!tt.ptr<f32>>"))
    yield Case("ttir, ten thousand arguments", "k.ttir",
               ttir("", ", ".join(f"%a{i}: !tt.ptr<f32>" for i in range(10000))), "any")
    yield Case("ttir, a chain of a hundred thousand sums", "k.ttir", ttir(
        "    %v0 = tt.load %p : !tt.ptr<f32>\n" +
        "".join(f"    %v{i} = arith.addf %v{i - 1}, %v{i - 1} : f32\n" for i in range(1, 30000)) +
        "    tt.store %p, %v29999 : !tt.ptr<f32>"), "any")
    simple = kernel("tl.store(p, tl.load(p) + 1)")
    for name, value in {"num_warps": ["3", "0", "-1", "4096", "4294967296", "x"],
                        "num_stages": ["-1", "1000000", "1.5"],
                        "num_ctas": ["0", "3", "1073741824"],
                        "maxnreg": ["-1", "0", "99999999999"]}.items():
        for number in value:
            yield Case(f"option {name}={number}", "k.py", simple, arguments=["--option", f"{name}={number}"])
    yield Case("option ptx_options names a file", "k.py", simple,
               arguments=["--option", 'ptx_options="-o /tmp/tilescope-was-here"'])
    for number, target in enumerate(["cuda:1", "cuda:99999999999999999999", "cuda:-90", "rocm", "cuda:", "../x", "\x1b[31m"]):
        yield Case(f"target {number}", "k.py", simple, arguments=["--target", target])
    for number, type_ in enumerate(["nonsense", "*", "i99999", "fp32:0", "tensordesc<fp32[" + "1," * 1000 + "1]>"]):
        yield Case(f"signature {number}", "k.py", simple, arguments=["--signature", f"p={type_}"])
    yield Case("signature of many stars", "k.py", simple, "any", arguments=["--signature", f"p={'*' * 100_000}fp32"])
    yield Case("constexpr that never ends", "k.py", kernel("tl.store(p, N)", "p, N: tl.constexpr"),
               arguments=["--constexpr", "N=9**9**9"])


def cases():
    for make in (nesting_cases, python_cases, symbol_cases, assembly_cases, document_cases, size_cases):
        yield from make()
