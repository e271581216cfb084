// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using Kind = DiagnosticKind;

/// Checks that the body produces one diagnostic of that kind whose range is the marked text.
static void checkError(const std::string &body, Kind kind, const std::string &marked,
                       const std::string &message) {
  Emitted emitted = emitBody(body);
  INFO(body << "\n" << emitted.messages());
  REQUIRE(emitted.diagnostics.size() == 1);
  const Diagnostic &diagnostic = emitted.diagnostics.front();
  CHECK(diagnostic.kind == kind);
  CHECK(diagnostic.message.find(message) != std::string::npos);
  // Lines of the body come after seven lines of the kernel, indented by four.
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < body.size();) {
    size_t end = std::min(body.find('\n', begin), body.size());
    lines.push_back("    " + body.substr(begin, end - begin));
    begin = end + 1;
  }
  REQUIRE(diagnostic.range.file == 0);
  REQUIRE(diagnostic.range.begin.line >= 7);
  REQUIRE(diagnostic.range.begin.line < 7 + lines.size());
  const std::string &line = lines[diagnostic.range.begin.line - 7];
  if (diagnostic.range.end.line == diagnostic.range.begin.line)
    CHECK(line.substr(diagnostic.range.begin.column,
                      diagnostic.range.end.column - diagnostic.range.begin.column) == marked);
  else
    CHECK(line.substr(diagnostic.range.begin.column) == marked);
}

TEST_CASE("faults of values and types are found at their place", "[compiler]") {
  checkError("y = x + z", Kind::UndefinedName, "z", "`z` is not defined");
  checkError("y = tl.foo(x)", Kind::UnknownAttribute, "foo", "no attribute `foo`");
  checkError("y = x.foo", Kind::UnknownAttribute, "foo", "no attribute `foo`");
  checkError("j = tl.arange(0, 100)", Kind::BadShape, "100", "power of 2");
  checkError("j = tl.arange(0, n)", Kind::NotConstexpr, "n", "tl.constexpr");
  checkError("y = x + tl.arange(0, 32)", Kind::ShapeMismatch, "x + tl.arange(0, 32)",
             "incompatible dimensions at index 0: 16 and 32");
  checkError("y = tl.zeros([1024, 2048], tl.float32)", Kind::BadShape, "[1024, 2048]",
             "more elements than the maximum");
  checkError("y = x & 1", Kind::TypeMismatch, "x & 1", "invalid operands of type");
  checkError("y = x_ptr + y_ptr", Kind::TypeMismatch, "x_ptr + y_ptr", "add pointers");
  checkError("y = i // i.to(tl.uint32)", Kind::TypeMismatch, "i // i.to(tl.uint32)",
             "different signedness");
  checkError("y = i.to(tl.int8) + 300", Kind::ScalarOutOfRange, "i.to(tl.int8) + 300",
             "out of range");
  checkError("y = tl.exp(x.to(tl.float16))", Kind::DtypeUnsupported, "x.to(tl.float16)",
             "expected dtype ['fp32', 'fp64'] but got fp16");
  checkError("y = x.to(tl.float8e4b8)", Kind::TypeUnsupported, "x.to(tl.float8e4b8)",
             "not supported in this architecture");
  checkError("y = x[0]", Kind::BadArgument, "0", "unsupported tensor index");
  checkError("y = 1 // 0", Kind::ConstantEvaluation, "1 // 0", "ZeroDivisionError");
  checkError("y = x ** 2", Kind::UnsupportedSyntax, "x ** 2", "constexprs only");
}

TEST_CASE("faults of memory accesses are found at the argument", "[compiler]") {
  checkError("y = tl.load(n)", Kind::TypeMismatch, "n", "unsupported ptr type");
  checkError("y = tl.load(x_ptr, mask=m)", Kind::ShapeMismatch, "m",
             "is the address of one element");
  checkError("y = tl.load(x_ptr + i, other=0.0)", Kind::BadArgument, "0.0", "without `mask`");
  checkError("tl.store(y_ptr, x)", Kind::ShapeMismatch, "x", "is the address of one element");
  checkError("tl.store(y_ptr + i, x, mask=i)", Kind::TypeMismatch, "i", "boolean scalar type");
  checkError("y = tl.load(x_ptr + i, cache_modifier='.xx')", Kind::BadArgument, "'.xx'",
             "not supported");
  checkError("y = tl.load(x_ptr + i, masc=m)", Kind::BadCall, "masc", "no parameter `masc`");
  checkError("tl.atomic_add(y_ptr.to(tl.pointer_type(tl.int8)) + i, 1)", Kind::TypeMismatch,
             "y_ptr.to(tl.pointer_type(tl.int8)) + i", "does not support `int8`");
  checkError("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (B,), (0,))\ntl.advance(p, (B,))",
             Kind::UnusedResult, "tl.advance(p, (B,))", "not being used");
}

TEST_CASE("faults of control flow are found", "[compiler]") {
  checkError("s = 0\nfor j in range(n):\n    s = x", Kind::LoopCarriedType, "s",
             "initial type `int32`");
  checkError("if n > 0:\n    i = x", Kind::BranchType, "if n > 0:", "redefines it");
  checkError("if n > 0:\n    w = 1\nelse:\n    w = 1.0", Kind::BranchType,
             "if n > 0:", "mismatched type for `w`");
  checkError("if n > 0:\n    w = 1\ntl.store(y_ptr, w)", Kind::UndefinedName, "w", "not defined");
  checkError("if m:\n    pass", Kind::AmbiguousCondition, "m", "16 answers at once");
  checkError("if 'a':\n    pass", Kind::AmbiguousCondition, "'a'", "bool, int or None");
  checkError("for j in range(n):\n    return", Kind::ReturnInLoop, "return", "cannot have");
  checkError("for j in [1, 2]:\n    pass", Kind::UnsupportedSyntax, "[1, 2]",
             "a `for` loop of a kernel counts");
  checkError("while True:\n    pass", Kind::AmbiguousCondition, "True", "run-time scalar");
  checkError("y = x if n > 0 else i", Kind::BranchType, "x if n > 0 else i", "inconsistent");
  checkError("for j in tl.static_range(200000):\n    pass", Kind::UnrollTooLarge,
             "for j in tl.static_range(200000):", "more than");
}

TEST_CASE("what the language leaves out is named", "[compiler]") {
  checkError("f = lambda a: a", Kind::UnsupportedSyntax, "lambda a: a",
             "`lambda` cannot be used in a kernel");
  checkError("y = 0 < n < 3", Kind::UnsupportedSyntax, "0 < n < 3",
             "a kernel compares two values at a time");
  checkError("a = b = 1", Kind::UnsupportedSyntax, "a = b = 1", "multiple assignment");
  checkError("C: tl.constexpr = 1\nC: tl.constexpr = 2", Kind::ConstexprReassigned, "C",
             "cannot be reassigned");
  checkError("tl.static_assert(B == 3, 'B must be 3')", Kind::StaticAssertFailed,
             "tl.static_assert(B == 3, 'B must be 3')", "B must be 3");
  checkError("y = print.foo", Kind::UnknownAttribute, "foo", "no attribute");
  checkError("y = n(1)", Kind::BadCall, "n(1)", "not callable");
}

TEST_CASE("warnings and notes do not stop the compilation", "[compiler]") {
  Emitted shift = emitBody("tl.store(y_ptr + i, i << 40)");
  INFO(shift.messages());
  REQUIRE(shift.diagnostics.size() == 1);
  CHECK(shift.diagnostics.front().kind == Kind::ShiftTooFar);
  CHECK(shift.diagnostics.front().severity == Severity::Warning);
  CHECK_FALSE(shift.text.empty());
  Emitted where = emitBody("tl.store(y_ptr + i, tl.where(i, x, 0.0))");
  REQUIRE(where.diagnostics.size() == 1);
  CHECK(where.diagnostics.front().kind == Kind::Deprecated);
  Emitted print = emitBody("tl.static_print('B', B, x.dtype)");
  REQUIRE(print.diagnostics.size() == 1);
  CHECK(print.diagnostics.front().kind == Kind::StaticPrint);
  CHECK(print.diagnostics.front().message == "B 16 fp32");
}

TEST_CASE("several independent faults are reported, their consequences are not", "[compiler]") {
  Emitted emitted = emitBody("a = tl.arange(0, 3)\n"
                             "b = a + 1\n"
                             "c = undefined\n"
                             "for j in range(n):\n"
                             "    d = b + c\n"
                             "    e = x[5]\n"
                             "tl.store(y_ptr + a, b)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.size() == 3);
  CHECK(emitted.diagnostics[0].kind == Kind::BadShape);
  CHECK(emitted.diagnostics[1].kind == Kind::UndefinedName);
  CHECK(emitted.diagnostics[2].kind == Kind::BadArgument);
  CHECK(emitted.text.empty());
}

static Emitted emitCalls(const std::string &callee, const std::string &call) {
  return emit("import triton\nimport triton.language as tl\nLIMIT = 5\n" + callee +
                  "\n@triton.jit\ndef k(p, n):\n    v = tl.load(p)\n    " + call + "\n",
              {.signature = {{"p", "*fp32:16"}, {"n", "i32"}}});
}

TEST_CASE("a fault in a called function names the chain of calls", "[compiler]") {
  Emitted emitted =
      emitCalls("@triton.jit\ndef f(a):\n    return a + missing\n", "tl.store(p, f(v))");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.size() == 1);
  const Diagnostic &diagnostic = emitted.diagnostics.front();
  CHECK(diagnostic.range.begin == Position{5, 15});
  REQUIRE(diagnostic.labels.size() == 1);
  CHECK(diagnostic.labels.front().range.begin == Position{10, 16});
  CHECK(diagnostic.labels.front().message == "`f` is called here");
}

TEST_CASE("a fault in the prelude is shown at the call that the user wrote", "[compiler]") {
  Emitted emitted = emitBody("y = tl.sigmoid(i)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics.front().range.file == 0);
  CHECK(emitted.diagnostics.front().range.begin == Position{7, 8});
  CHECK(emitted.diagnostics.front().range.end == Position{7, 21});
  CHECK(emitted.diagnostics.front().labels.empty());
}

TEST_CASE("faults of calls and globals are found", "[compiler]") {
  auto kindOf = [](const Emitted &emitted) {
    INFO(emitted.messages());
    REQUIRE(emitted.diagnostics.size() == 1);
    return emitted.diagnostics.front().kind;
  };
  CHECK(kindOf(emitCalls("def f(a):\n    return a\n", "f(v)")) == Kind::PlainFunction);
  CHECK(kindOf(emitCalls("@triton.jit\ndef f(a):\n    return f(a)\n", "f(v)")) ==
        Kind::RecursionTooDeep);
  CHECK(kindOf(emitCalls("@triton.jit\ndef f(a, n):\n    if n > 0:\n        return 1\n    "
                         "return a\n",
                         "f(v, n)")) == Kind::ReturnType);
  CHECK(kindOf(emitCalls("class C:\n    pass\n", "C(v)")) == Kind::UnsupportedFeature);
  Emitted global = emitCalls("", "tl.store(p, v + LIMIT)");
  CHECK(kindOf(global) == Kind::GlobalNotConstexpr);
  REQUIRE(global.diagnostics.front().fixes.size() == 1);
  CHECK(global.diagnostics.front().fixes.front().replacement == "tl.constexpr(5)");
}

TEST_CASE("a selection that does not fit the file is reported", "[compiler]") {
  auto kindOf = [](const std::string &source, const Selection &selection) {
    Emitted emitted = emit(source, selection);
    INFO(emitted.messages());
    REQUIRE(emitted.diagnostics.size() == 1);
    return emitted.diagnostics.front().kind;
  };
  std::string source = "import triton\nimport triton.language as tl\n"
                       "@triton.jit\ndef k(p, W: tl.constexpr):\n    tl.store(p, W)\n";
  CHECK(kindOf("x = 1\n", {}) == Kind::NoKernel);
  CHECK(kindOf(source, {.kernel = "other"}) == Kind::NoKernel);
  CHECK(kindOf(source, {.signature = {{"p", "float*"}}, .constexprs = {{"W", "1"}}}) ==
        Kind::SignatureInvalid);
  CHECK(kindOf(source, {.constexprs = {{"W", "1 +"}}}) == Kind::SignatureInvalid);
  CHECK(kindOf(source, {.constexprs = {{"W", "1"}}, .options = {{"num_warps", "3"}}}) ==
        Kind::OptionInvalid);
}

TEST_CASE("modules of other packages are not available in a kernel", "[compiler]") {
  for (const char *value : {"numpy.pi", "torch.sum(p)"}) {
    Emitted emitted = emit("import numpy\nimport torch\nimport triton\n"
                           "import triton.language as tl\n"
                           "@triton.jit\ndef k(p):\n    tl.store(p, " +
                           std::string(value) + ")\n");
    INFO(emitted.messages());
    REQUIRE(emitted.diagnostics.size() == 1);
    CHECK(emitted.diagnostics.front().kind == Kind::ImportNotFound);
  }
  Emitted called = emit("import triton\nimport triton.language as tl\n"
                        "@triton.jit\ndef k(p):\n    tl.store(p, tl.tensor(1))\n");
  REQUIRE(called.diagnostics.size() == 1);
  CHECK(called.diagnostics.front().kind == Kind::UnsupportedFeature);
}
