// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels may be made of besides operations on blocks: classes, tuples, descriptors, functions
// of every kind, and arguments made of them.
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace tilescope;
using namespace tilescope::compiler;

static const std::string kImports = "import triton\nimport triton.language as tl\n";

/// Emits `definitions` followed by a kernel over a pointer `p` and blocks `x` and `m`.
static Emitted emitWith(const std::string &definitions, const std::string &body) {
  std::string source = kImports + definitions +
                       "@triton.jit\n"
                       "def k(p, n):\n"
                       "    i = tl.arange(0, 32)\n"
                       "    x = tl.load(p + i)\n"
                       "    m = tl.load(p + i[:, None] * 32 + i[None, :])\n";
  source += indented(body);
  Selection selection;
  selection.kernel = "k";
  selection.signature = {{"p", "*fp32:16"}, {"n", "i32"}};
  return emit(source, selection);
}

/// What one program of that kernel leaves in memory, by the interpreter: at `p` lie 1024 floats,
/// `valueAt` each, and `n` is 3.
static double valueAt(int64_t index) { return static_cast<double>(index + 1) / 1024; }

static std::vector<float> memoryAfter(const std::string &definitions, const std::string &body) {
  Emitted emitted = emitWith(definitions, body);
  INFO(emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  std::vector<float> memory(1024);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<float>(valueAt(static_cast<int64_t>(i)));
  const Interpretation run = tests::runTtir(
      emitted.text, {{1, 1, 1}, {tests::memory("p", memory), tests::scalar("n", 3)}});
  REQUIRE(run.completed);
  REQUIRE(run.findings.empty());
  return memory;
}

/// The first 32 elements are stored, as `expected` of what `x` was there.
static void checkStores(const std::string &definitions, const std::string &body,
                        const std::function<double(double x)> &expected, double tolerance = 1e-5) {
  INFO(body);
  const std::vector<float> memory = memoryAfter(definitions, body);
  for (int64_t i = 0; i < 32; ++i)
    CHECK(memory[static_cast<size_t>(i)] == Approx(expected(valueAt(i))).epsilon(tolerance));
}

/// The first element is stored.
static void checkStoresFirst(const std::string &definitions, const std::string &body,
                             double expected) {
  INFO(body);
  const std::vector<float> memory = memoryAfter(definitions, body);
  CHECK(memory[0] == Approx(expected));
  CHECK(memory[1] == Approx(valueAt(1)));
}

static double unchanged(double x) { return x; }

static void checkEmits(const std::string &definitions, const std::string &body,
                       const std::vector<std::string> &pieces) {
  Emitted emitted = emitWith(definitions, body);
  INFO(body << "\n" << emitted.messages() << emitted.text);
  REQUIRE_FALSE(emitted.text.empty());
  CHECK(inOrder(emitted.text, pieces));
}

TEST_CASE("tuples are repeated and joined, within limits", "[compiler]") {
  checkStores("",
              "t = (x + 1, 2) * 2000 + (n,)\ntl.static_assert(len(t) == 4001)\n"
              "tl.store(p + i, t[3998] * t[4000])",
              [](double x) { return (x + 1) * 3; });
  checkStores("", "tl.static_assert(len((x,) * -1) == 0)\ntl.store(p + i, x)", unchanged);
  for (const std::string grow :
       {"t += t", "t = (t, t)", "t = [u for u in t] * 2", "t = t * (1 << 70)"}) {
    Emitted wrong = emitWith("", "t = (n, n)\nfor _ in tl.static_range(40):\n    " + grow);
    INFO(grow);
    REQUIRE(wrong.diagnostics.size() == 1);
    CHECK(wrong.diagnostics.front().message == "the tuple has more than 4096 items");
  }
}

static void checkRefuses(const std::string &body, const std::string &message) {
  Emitted wrong = emitWith("", body);
  INFO(body << "\n" << wrong.messages());
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics.front().message == message);
}

TEST_CASE("fp8e4b15 is moved, selected and converted, but not computed with", "[compiler]") {
  const std::string made = "x8 = x.to(tl.float8e4b15)\n";
  // Three bits of mantissa, rounded.
  checkStores("", made + "tl.store(p + i, tl.where(i > 3, x8, x8).to(tl.float32))", unchanged,
              1.0 / 8);
  for (const std::string use :
       {"x8 + x8", "x8 < x8", "-x8", "tl.maximum(x8, x8)", "tl.sum(x, 0, dtype=tl.float8e4b15)"})
    checkRefuses(made + "y = " + use,
                 "cannot compute with `fp8e4b15`: cast the operand to a wider float first");
}

TEST_CASE("inline assembly works on packs that divide the block", "[compiler]") {
  auto use = [](const std::string &pack) {
    return "y = tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [x], tl.float32, True, " +
           pack + ")\n";
  };
  checkEmits("", use("4") + "tl.store(p + i, y)", {"packed_element = 4"});
  for (const std::string pack : {"0", "3", "64", "1 << 40"})
    checkRefuses(use(pack), "`pack` must divide the number of elements (32), but is " +
                                (pack == "1 << 40" ? "1099511627776" : pack));
}

TEST_CASE("named tuples are made, read and passed on", "[compiler]") {
  std::string definitions = "from typing import NamedTuple\n"
                            "from collections import namedtuple\n"
                            "class Pair(NamedTuple):\n"
                            "    a: tl.tensor\n"
                            "    b: tl.tensor = 2\n"
                            "Point = namedtuple('Point', 'u v')\n"
                            "@triton.jit\n"
                            "def total(pair):\n"
                            "    return pair.a + pair[1]\n";
  checkStores(definitions, "tl.store(p + i, total(Pair(x, x * 3)))",
              [](double x) { return 4 * x; });
  checkStores(definitions, "tl.store(p + i, total(Pair(a=x)))", [](double x) { return x + 2; });
  checkStores(definitions, "q = Point(x, v=4)\ntl.store(p + i, q.u * q.v)",
              [](double x) { return 4 * x; });
  Emitted wrong = emitWith(definitions, "q = Pair(c=x)");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics.front().message == "`Pair` has no field `c`");
}

TEST_CASE("aggregates have fields, a constructor and methods", "[compiler]") {
  std::string definitions = "from triton.language.core import _aggregate as aggregate\n"
                            "@aggregate\n"
                            "class Scaled:\n"
                            "    value: tl.tensor\n"
                            "    factor: tl.constexpr\n"
                            "    @triton.constexpr_function\n"
                            "    def __init__(self, value, factor):\n"
                            "        self.value = value\n"
                            "        self.factor = tl.constexpr(factor * 2)\n"
                            "    @triton.jit\n"
                            "    def get(self, more):\n"
                            "        return self.value * self.factor + more\n";
  checkStores(definitions, "s = Scaled(x, 3)\ntl.store(p + i, s.get(x))",
              [](double x) { return 7 * x; });
  checkStores(definitions,
              "s = Scaled(x, 3)\nfor j in range(n):\n    s = Scaled(s.value + 1.0, 3)\n"
              "tl.store(p + i, s.value)",
              [](double x) { return x + 3; });
  Emitted assigned = emitWith(definitions, "s = Scaled(x, 3)\ns.value = x");
  REQUIRE(assigned.diagnostics.size() == 1);
  CHECK(assigned.diagnostics.front().kind == DiagnosticKind::UnsupportedSyntax);
}

TEST_CASE("functions come from classes, functions and plain Python", "[compiler]") {
  checkStores("class Ops:\n    K = tl.constexpr(3)\n    @staticmethod\n    @triton.jit\n"
              "    def scale(a):\n        return a * 5\n",
              "tl.store(p + i, Ops.scale(x) + Ops.K)", [](double x) { return 5 * x + 3; });
  checkStores("def half(n):\n    r = 0\n    while r * 2 < n:\n        r = r + 1\n    return r\n",
              "tl.store(p + i, x * half(16))", [](double x) { return 8 * x; });
  checkStoresFirst("IS_ON = tl.constexpr(any(n > 2 for n in (1, 3)))\n",
                   "tl.store(p, 7.0 if IS_ON else 8.0)", 7);
  Emitted runtime = emitWith("def half(n):\n    return n // 2\n", "y = half(n)");
  REQUIRE(runtime.diagnostics.size() == 1);
  CHECK(runtime.diagnostics.front().kind == DiagnosticKind::PlainFunction);
}

TEST_CASE("kernels defined inside functions see what encloses them", "[compiler]") {
  Emitted emitted = emit(kImports + "def make():\n"
                                    "    SIZE: tl.constexpr = 64\n"
                                    "    @triton.jit\n"
                                    "    def inner(p):\n"
                                    "        tl.store(p + tl.arange(0, SIZE), 1.0)\n"
                                    "    return inner\n");
  INFO(emitted.messages());
  CHECK(emitted.kernel == "inner");
  std::vector<float> memory(65);
  REQUIRE(tests::runTtir(emitted.text, {{1, 1, 1}, {tests::memory("p", memory)}}).completed);
  CHECK(std::count(memory.begin(), memory.end(), 1.0F) == 64);
}

TEST_CASE("a constexpr by annotation is a global that kernels read", "[compiler]") {
  checkStores("LOG: tl.constexpr = 1.5\n", "tl.store(p + i, x * LOG)",
              [](double x) { return 1.5 * x; });
  Emitted plain = emitWith("LOG: float = 1.5\n", "tl.store(p + i, x * LOG)");
  REQUIRE(plain.diagnostics.size() == 1);
  CHECK(plain.diagnostics.front().kind == DiagnosticKind::GlobalNotConstexpr);
}

TEST_CASE("what is calculated from a constexpr is a global that kernels read too", "[compiler]") {
  const std::string globals =
      "A = tl.constexpr(4)\nB = A * 2\nC = -B if B > 4 else B\nD = A == 4\n";
  checkStores(globals, "tl.static_assert(D)\ntl.store(p + i, x * B + C)",
              [](double x) { return 8 * x - 8; });
  Emitted plain = emitWith("A = 4\nB = A * 2\n", "tl.store(p + i, x * B)");
  REQUIRE(plain.diagnostics.size() == 1);
  CHECK(plain.diagnostics.front().kind == DiagnosticKind::GlobalNotConstexpr);
}

TEST_CASE("types tell their kind, signedness and size, and are made", "[compiler]") {
  for (const std::string fact :
       {"tl.int8.int_signedness == tl.dtype.SIGNEDNESS.SIGNED",
        "tl.int1.int_signedness == tl.dtype.SIGNEDNESS.UNSIGNED",
        "tl.float16.kind() == tl.dtype.KIND.FLOATING", "tl.uint8.kind() == tl.dtype.KIND.INTEGRAL",
        "tl.block_type(tl.float32, [32, 32]) == m.type", "m.type.numel == 1024",
        "m.type.get_block_shapes() == (32, 32)", "x.dtype.cache_key_part == 'fp32'",
        "isinstance(m.type, tl.block_type)", "not isinstance(m.dtype, tl.block_type)",
        "isinstance(p.type, tl.pointer_type)", "not isinstance((p + i).type, tl.pointer_type)",
        "isinstance((p + i).dtype, tl.pointer_type)"})
    checkStores("", "tl.store(p + i, x if " + fact + " else -x)", unchanged);
  checkRefuses("t = tl.block_type(tl.float32, [3])",
               "shape element 0 must be a power of 2, but is 3");
}

TEST_CASE("what is stored takes on the pointer's shape", "[compiler]") {
  const std::vector<float> memory =
      memoryAfter("", "tl.store(p + i[:, None] * 32 + i[None, :], x, mask=i < 5)");
  for (const int64_t index : {0, 4, 32, 36, 992})
    CHECK(memory[static_cast<size_t>(index)] == Approx(valueAt(index % 32)));
  CHECK(memory[37] == Approx(valueAt(37)));
  checkRefuses("tl.store(p + i, m)",
               "expected the pointer argument to have shape [32, 32] but got [32]");
}

TEST_CASE("functions of libraries are named by Python code", "[compiler]") {
  const std::string wrapped = "from triton.language import core\n"
                              "FORMS = {'sin': '__nv_sinf'}\n"
                              "@core.extern\n"
                              "def sine(x, _builder=None):\n"
                              "    return core.extern_elementwise('', '', [x], {\n"
                              "        (core.dtype('fp32'),): (FORMS['sin'], core.dtype('fp32')),\n"
                              "        (core.dtype('fp64'),): ('__nv_sin', core.dtype('fp64')),\n"
                              "    }, is_pure=True, _builder=_builder)\n";
  checkStores(wrapped, "tl.store(p + i, sine(x) + sine(x.to(tl.float64)))",
              [](double x) { return 2 * std::sin(x); });
  Emitted wrong = emitWith(wrapped, "tl.store(p + i, sine(n))");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics.front().kind == DiagnosticKind::DtypeUnsupported);
  checkRefuses("t = {1: 2}", "a dictionary cannot be made in a kernel");
}

TEST_CASE("reductions take the language's own combining functions", "[compiler]") {
  checkStoresFirst("", "tl.store(p, tl.reduce(x, 0, tl.standard._elementwise_max))", valueAt(31));
  // The sum of 1 to k is k (k + 1) / 2.
  checkStores("", "tl.store(p + i, tl.associative_scan(x, 0, tl.standard._sum_combine))",
              [](double x) { return x * (1024 * x + 1) / 2; });
}

TEST_CASE("dictionaries are looked up while compiling", "[compiler]") {
  checkStoresFirst("WIDTHS = {'a': 16, tl.float16: 32}\n"
                   "@triton.constexpr_function\n"
                   "def width(key):\n"
                   "    return {**WIDTHS, 'b': 64}[key]\n",
                   "tl.store(p, width(tl.float16) + width('b'))", 96);
}

TEST_CASE("`tl.const` counts whatever the signature says", "[compiler]") {
  for (const std::string given : {"*fp32", "*kfp32"}) {
    Selection selection;
    selection.kernel = "k";
    selection.signature = {{"p", given}};
    Emitted wrong =
        emit(kImports + "@triton.jit\ndef k(p: tl.const):\n    tl.store(p, 1.0)\n", selection);
    REQUIRE(wrong.diagnostics.size() == 1);
    CHECK(wrong.diagnostics.front().message == "cannot store to a constant pointer");
  }
}

TEST_CASE("recursion without end is reported once, and soon", "[compiler]") {
  // Each level calls itself three times.
  const std::string endless = "@triton.jit\ndef f(x):\n    f(x)\n    f(x + 1)\n    f(x * 2)\n";
  Emitted wrong = emitWith(endless, "f(n)\nf(x)");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics.front().kind == DiagnosticKind::RecursionTooDeep);
}

TEST_CASE("a scalar has no dimensions to permute", "[compiler]") {
  checkStoresFirst("", "tl.store(p, tl.permute(n, ()))", 3);
}

TEST_CASE("scaled products, descriptors and waits have their operations", "[compiler]") {
  std::string factors = "a = tl.zeros((32, 64), tl.uint8)\nb = tl.zeros((64, 32), tl.uint8)\n"
                        "s = tl.full((32, 2), 127, tl.uint8)\n";
  checkEmits("",
             factors + "tl.store(p + i[:, None] * 32 + i[None, :], "
                       "tl.dot_scaled(a, s, 'e4m3', b, s, 'e5m2', acc=m))",
             {"tt.bitcast", "f8E4M3FN", "tt.dot_scaled", "lhs = e4m3 rhs = e5m2"});
  checkEmits("",
             factors + "c = tl.dot_scaled(a, None, 'e2m1', tl.zeros((64, 32), tl.uint8), None, "
                       "'e2m1', fast_math=True)\ntl.store(p, tl.sum(c))",
             {"tt.dot_scaled", "fastMath = true"});
  Emitted wrong = emitWith("", factors + "c = tl.dot_scaled(m, s, 'e4m3', b, s, 'e4m3')");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics.front().kind == DiagnosticKind::TypeMismatch);
  checkEmits("",
             "d = tl.make_tensor_descriptor(p, [n, n], [n, 1], [1, 32])\n"
             "g = d.gather(i, 0)\nd.scatter(g, i, 32)",
             {"tt.descriptor_gather", "tensor<32x32xf32>", "tt.descriptor_scatter"});
  checkEmits("from triton.language.extra.cuda import gdc_wait\n",
             "gdc_wait()\ntl.extra.cuda.gdc_launch_dependents()",
             {"tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents"});
  checkEmits("",
             "q = p.to(tl.pointer_type(tl.int32))\n"
             "if tl.atomic_poll(q, 1, timeout_ns=100):\n    tl.store(p, 0.0)",
             {"tt.atomic_poll acquire, gpu", "scf.if"});
}

TEST_CASE("library functions are found under every name", "[compiler]") {
  for (const char *name : {"tl.extra.libdevice.tanh", "tl.extra.cuda.libdevice.tanh",
                           "tl.libdevice.tanh", "tl.math.tanh", "ld.tanh", "other.tanh"})
    checkStores("from triton.language.extra import libdevice as ld\n"
                "import triton.language.extra.hip.libdevice as other\n",
                std::string("tl.store(p + i, ") + name + "(x))",
                [](double x) { return std::tanh(x); });
  checkStores("", "tl.store(p + i, tl.math.max(x, 0.01) + tl.standard._log2(8))",
              [](double x) { return std::max(x, 0.01) + 3; });
}

TEST_CASE("a library's own name for libdevice is followed", "[compiler]") {
  checkStores("from pack import tl_extra_shim\nfrom pack.libdevice import erf\n"
              "power = tl_extra_shim.pow\n",
              "tl.store(p + i, power(x, x) + erf(x) + tl_extra_shim.tanh(x))",
              [](double x) { return std::pow(x, x) + std::erf(x) + std::tanh(x); });
  Emitted unknown = emitWith("from pack import other\n", "tl.store(p + i, other.tanh(x))");
  REQUIRE(unknown.diagnostics.size() == 1);
  CHECK(unknown.diagnostics.front().kind == DiagnosticKind::ImportNotFound);
}

TEST_CASE("what a file asks its surroundings for has the usual answer", "[compiler]") {
  checkStoresFirst("import os\nimport torch\n"
                   "IS_HIP = tl.constexpr(torch.version.hip is not None)\n"
                   "LEVEL = tl.constexpr(int(os.environ.get('LEVEL', '3')))\n"
                   "NAME = tl.constexpr(os.getenv('NAME'))\n",
                   "tl.store(p, LEVEL if not IS_HIP and NAME is None else 0)", 3);
}

TEST_CASE("versions, devices and limits of types are those of the target", "[compiler]") {
  checkStoresFirst(
      "import torch\nfrom packaging import version\n"
      "from packaging.version import Version\nfrom triton.runtime import driver\n"
      "from elsewhere import HAS_TRITON, is_hip, is_nvidia, platform\n"
      "def backend():\n    return driver.active.get_current_target().backend\n"
      "NEW = tl.constexpr(version.parse(triton.__version__) >= version.parse('3.2.0'))\n"
      "SAME = tl.constexpr(Version('3.2') == Version('3.2.0'))\n"
      "OLD = tl.constexpr(Version('3.10.1+cu130') < Version('3.9'))\n"
      "BACKEND = tl.constexpr(backend())\n"
      "ARCH = tl.constexpr(triton.runtime.driver.active.get_current_target().arch)\n"
      "MAJOR = tl.constexpr(torch.cuda.get_device_capability()[0])\n"
      "GPU = tl.constexpr(torch.cuda.is_available() and not torch.xpu.is_available())\n"
      "HIP = tl.constexpr(is_hip() or not is_nvidia() or platform.is_rocm())\n"
      "LARGEST = tl.constexpr(torch.finfo(platform.fp8_dtype()).max) if HAS_TRITON else 1\n"
      "EPS = tl.constexpr(torch.finfo(torch.float32).eps)\n"
      "LOW = tl.constexpr(torch.iinfo(torch.int64).min)\n"
      "BYTE = tl.constexpr(torch.iinfo(torch.uint8).max)\n",
      "tl.static_assert(NEW and SAME and not OLD and GPU and not HIP)\n"
      "tl.static_assert(BACKEND == 'cuda' and ARCH == 90 and MAJOR == 9)\n"
      "tl.static_assert(LARGEST == 448 and EPS == 2.0 ** -23 and BYTE == 255)\n"
      "tl.static_assert(LOW == -(2 ** 63))\n"
      "tl.static_assert(-torch.inf < 0.0 and torch.pi > 3.14)\ntl.store(p, 7.0)",
      7);
}

TEST_CASE("libraries hand Triton on under its usual names", "[compiler]") {
  Emitted emitted = emit("from pack.triton_utils import HAS_TRITON, tl, tldevice, triton\n"
                         "from .compat import tl as language\n"
                         "@triton.autotune(configs=[triton.Config({'B': 32})], key=[])\n"
                         "@triton.jit\n"
                         "def k(x_ptr, B: tl.constexpr):\n"
                         "    i = language.arange(0, B)\n"
                         "    tl.store(x_ptr + i, tldevice.tanh(tl.load(x_ptr + i)))\n");
  INFO(emitted.messages());
  CHECK(emitted.diagnostics.empty());
  std::vector<float> memory(33, 0.5F);
  const Interpretation run =
      tests::runTtir(emitted.text, {{1, 1, 1}, {tests::memory("x_ptr", memory)}});
  REQUIRE(run.completed);
  CHECK(memory[31] == Approx(std::tanh(0.5)));
  CHECK(memory[32] == 0.5F);
}

TEST_CASE("a dtype that is called casts", "[compiler]") {
  checkStoresFirst("", "tl.store(p, tl.float32(-0.5) + tl.float32(n))", 2.5);
}

TEST_CASE("functions that run while compiling may try and raise", "[compiler]") {
  std::string functions = "def size(n):\n"
                          "    try:\n"
                          "        if n > 4:\n"
                          "            raise ValueError('too large')\n"
                          "        return n\n"
                          "    except ValueError:\n"
                          "        return 4\n"
                          "def strict(n):\n"
                          "    if n > 4:\n"
                          "        raise ValueError('too large')\n"
                          "    return n\n"
                          "def checked(n):\n"
                          "    assert n <= 4\n"
                          "    return n\n";
  checkStoresFirst(functions, "tl.store(p, size(2) * 10 + size(9))", 24);
  Emitted emitted = emitWith(functions, "tl.store(p, strict(9))");
  REQUIRE(emitted.diagnostics.size() == 2);
  CHECK(emitted.diagnostics.front().severity == Severity::Warning);
  CHECK(emitted.diagnostics.back().message == "`raise ValueError('too large')` is reached");
  checkStoresFirst(functions, "tl.store(p, checked(3))", 3);
  emitted = emitWith(functions, "tl.store(p, checked(9))");
  REQUIRE_FALSE(emitted.diagnostics.empty());
  CHECK(emitted.diagnostics.back().message == "`assert n <= 4` fails");
}

TEST_CASE("helpers of generated kernels are there without their package", "[compiler]") {
  for (const char *import : {"from torch._inductor.runtime import triton_helpers as h\n",
                             "import torch._inductor.triton_helpers as h\n"})
    checkStores(import, "tl.store(p + i, h.maximum(-x, h.math.abs(-x)) + h.libdevice.tanh(x))",
                [](double x) { return x + std::tanh(x); });
  Emitted emitted = emitWith("from torch._inductor.runtime import triton_helpers as h\n",
                             "tl.store(p + i, h.absent(x))");
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics.front().kind == DiagnosticKind::UnknownAttribute);
}

TEST_CASE("a constexpr of a run-time value is that value", "[compiler]") {
  checkStoresFirst("", "c: tl.constexpr = n + 1\ntl.store(p, (c * 2).to(tl.float32))", 8);
  checkStoresFirst("", "c = tl.constexpr(n)\ntl.store(p, (c + 1).to(tl.dtype('fp32')))", 4);
  const std::vector<float> memory = memoryAfter(
      "@triton.jit\ndef g(a, offsets: tl.constexpr):\n    return a + offsets[:, None]\n",
      "tl.store(p + i[:, None] * 32 + i[None, :], g(m, i))");
  for (const int64_t index : {0, 31, 32, 1023})
    CHECK(memory[static_cast<size_t>(index)] ==
          Approx(valueAt(index) + static_cast<double>(index / 32)));
}

TEST_CASE("a host's descriptor arrives as pointer, extents and strides", "[compiler]") {
  Selection selection;
  selection.signature = {{"desc", "tensordesc<fp16[16,64]>"}};
  Emitted emitted = emit(kImports + "@triton.jit\n"
                                    "def k(desc):\n"
                                    "    desc.store([16, 0], desc.load([0, 0]) + desc.shape[0])\n",
                         selection);
  INFO(emitted.messages() << emitted.text);
  std::vector<KernelParameter> expected = {{"desc", "*fp16"},
                                           {"desc.shape.0", "i32"},
                                           {"desc.shape.1", "i32"},
                                           {"desc.strides.0", "i64"}};
  CHECK(emitted.parameters == expected);
  CHECK(emitted.signature.at("desc") == "tensordesc<fp16[16,64]>");
  CHECK(inOrder(emitted.text, {"tt.make_tensor_descriptor", "tt.descriptor_load",
                               "tensor<16x64xf16>", "tt.descriptor_store"}));
}

TEST_CASE("tuples of arguments are flattened", "[compiler]") {
  Selection selection;
  selection.signature = {{"args", "(*fp32:16, n=i32, i32:1, 3)"}};
  Emitted emitted = emit(kImports + "@triton.jit\n"
                                    "def k(args):\n"
                                    "    tl.static_assert(args[2] + args[3] == 4)\n"
                                    "    tl.store(args[0], args[1])\n",
                         selection);
  INFO(emitted.messages() << emitted.text);
  std::vector<KernelParameter> expected = {{"args.0", "*fp32"}, {"args.n", "i32"}};
  CHECK(emitted.parameters == expected);
  CHECK(emitted.signature.at("args") == "(*fp32:16, n=i32, i32:1, 3)");
}

TEST_CASE("a function that returns is compiled with its results stored", "[compiler]") {
  Selection selection;
  selection.kernel = "f";
  selection.signature = {{"x", "fp32[64]"}, {"n", "i32"}};
  Emitted emitted = emit(kImports + "@triton.jit\ndef f(x, n):\n    return tl.sum(x, 0), x * n\n"
                                    "@triton.jit\ndef k():\n    pass\n",
                         selection);
  INFO(emitted.messages() << emitted.text);
  std::vector<KernelParameter> expected = {
      {"x", "*fp32"}, {"n", "i32"}, {"result.0", "*fp32"}, {"result.1", "*fp32"}};
  CHECK(emitted.parameters == expected);
  std::vector<float> x(64, 0.5F), sums(1), products(64);
  REQUIRE(tests::runTtir(emitted.text,
                         {{1, 1, 1},
                          {tests::memory("x", x), tests::scalar("n", 3),
                           tests::memory("result.0", sums), tests::memory("result.1", products)}})
              .completed);
  CHECK(sums[0] == 32);
  CHECK(std::count(products.begin(), products.end(), 1.5F) == 64);
}

TEST_CASE("imports follow packages, star imports and the project's folder", "[compiler]") {
  namespace fs = std::filesystem;
  fs::path root = fs::temp_directory_path() / "tilescope-imports";
  fs::remove_all(root);
  fs::create_directories(root / "pack" / "sub");
  auto write = [&](const fs::path &path, const std::string &text) {
    std::ofstream(root / path) << text;
  };
  write("pyproject.toml", "");
  write("other.py", kImports + "@triton.jit\ndef twice(a):\n    return a * 2\n");
  write("pack/__init__.py", "");
  write("pack/maths.py", kImports + "@triton.jit\ndef thrice(a):\n    return a * 3\n"
                                    "FOUR = tl.constexpr(4)\n");
  std::string kernel = kImports + "from pack.maths import *\n"
                                  "from pack import maths\n"
                                  "from other import twice\n"
                                  "from missing import gone\n"
                                  "@triton.jit\n"
                                  "def k(p):\n"
                                  "    x = tl.load(p)\n"
                                  "    tl.store(p, twice(x) + thrice(x) + maths.thrice(FOUR))\n";
  Selection selection;
  selection.signature = {{"p", "*fp32"}};
  std::string path = (root / "pack" / "sub" / "kernel.py").string();
  Emitted emitted = emit(kernel, selection, path);
  INFO(emitted.messages());
  std::vector<float> memory = {0.5F};
  REQUIRE(tests::runTtir(emitted.text, {{1, 1, 1}, {tests::memory("p", memory)}}).completed);
  CHECK(memory[0] == Approx(2 * 0.5 + 3 * 0.5 + 12));
  CHECK(emitted.files.size() == 4);
  Emitted called = emit(kernel + "    gone(x)\n", selection, path);
  REQUIRE(called.diagnostics.size() == 1);
  CHECK(called.diagnostics.front().range.begin.line == 10);
  CHECK(called.diagnostics.front().message ==
        "`missing.gone` is not available in a kernel: its source was not found");
  fs::remove_all(root);
}

TEST_CASE("indices made of `:` and `None` make blocks of scalars", "[compiler]") {
  checkStores("", "row = tl.sum(x, 0)\ntl.store(p + i, row[:, None] + x)",
              [](double x) { return x + 528.0 / 1024; });
  checkStoresFirst("",
                   "tl.static_assert(n[None, :].shape == (1,))\n"
                   "tl.static_assert(n[:, :].shape == ())\n"
                   "tl.static_assert(x[:, None, :].shape == (32, 1))\n"
                   "tl.static_assert(m[:, :, :].shape == (32, 32))\n"
                   "tl.store(p, n)",
                   3);
  Emitted emitted = emitWith("", "tl.store(p + i[:, :, None], 0.0)");
  CHECK(emitted.messages().find("the index has 3 parts for a block of shape [32]") !=
        std::string::npos);
}

TEST_CASE("block pointers tell the type of their elements in two ways", "[compiler]") {
  const std::vector<float> memory = memoryAfter(
      "", "b = tl.make_block_ptr(p, (32, 32), (32, 1), (0, 0), (16, 16), (1, 0))\n"
          "v = tl.load(b)\n"
          "tl.store(b, v.to(tl.float16).to(b.type.element_ty) + v.to(b.dtype.element_ty))");
  for (const int64_t index : {0, 15, 32, 495})
    CHECK(memory[static_cast<size_t>(index)] == Approx(2 * valueAt(index)));
  CHECK(memory[16] == Approx(valueAt(16)));
}
