// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What beginners and writers of other languages type: one error each, whose fix makes Python of it.
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;

namespace {
struct Slip {
  std::string source, mended;
  /// A part of what is said.
  std::string message;
  Position place;
};
} // namespace

static std::string mended(const std::string &source, const Diagnostic &diagnostic) {
  const auto tree = parseModule(source);
  REQUIRE(diagnostic.fixes.size() == 1);
  const DiagnosticFix &fix = diagnostic.fixes[0];
  const auto offset = [&](Position at) { return tree->lineOffsets[at.line] + at.column; };
  std::string text = source;
  return text.replace(offset(fix.range.begin), offset(fix.range.end) - offset(fix.range.begin),
                      fix.replacement);
}

static void check(const std::vector<Slip> &slips) {
  for (const Slip &each : slips) {
    INFO(each.source);
    const auto tree = parseModule(each.source);
    REQUIRE(tree->diagnostics.size() == 1);
    const Diagnostic &found = tree->diagnostics[0];
    CHECK(found.severity == Severity::Error);
    CHECK(found.message.find(each.message) != std::string::npos);
    CHECK(found.range.begin == each.place);
    CHECK(mended(each.source, found) == each.mended);
    CHECK(parseModule(each.mended)->diagnostics.empty());
  }
}

/// The parameters of the only function, with their types.
static std::string parametersOf(const std::string &source) {
  const auto tree = parseModule(source);
  std::string text;
  walk(*tree->module, [&](const Node &node) {
    if (const auto *arg = as<Arg>(&node)) {
      text += (text.empty() ? "" : ", ") + std::string(arg->arg);
      if (arg->annotation)
        text += ": " + std::string(tree->text(arg->annotation->range));
    }
    return true;
  });
  return text;
}

TEST_CASE("what stands for a comma between parameters is one error", "[syntax]") {
  check({
      {"def f(x y, z):\n    pass\n", "def f(x, y, z):\n    pass\n", "found `y`", {0, 8}},
      {"def f(x y z):\n    pass\n", "def f(x, y, z):\n    pass\n", "found `y`", {0, 8}},
      {"def f(x; y; z):\n    pass\n", "def f(x, y, z):\n    pass\n", "found `;`", {0, 7}},
      {"def f(x. y):\n    pass\n", "def f(x, y):\n    pass\n", "found `.`", {0, 7}},
      {"def f(x - y):\n    pass\n", "def f(x , y):\n    pass\n", "found `-`", {0, 8}},
      {"def f(\n    x\n    N: tl.constexpr,\n):\n    pass\n",
       "def f(\n    x,\n    N: tl.constexpr,\n):\n    pass\n",
       "found `N`",
       {2, 4}},
  });
  CHECK(parametersOf("def f(x y; n, N: tl.constexpr):\n    pass\n") == "x, y, n, N: tl.constexpr");
}

TEST_CASE("a parameter's name and type are read as they are meant", "[syntax]") {
  check({
      {"def f(x-ptr):\n    x_ptr\n", "def f(x_ptr):\n    x_ptr\n", "`x_ptr`", {0, 6}},
      {"def f(N = tl.constexpr):\n    pass\n",
       "def f(N: tl.constexpr):\n    pass\n",
       "`:`",
       {0, 8}},
      {"def f(N tl.constexpr):\n    pass\n", "def f(N: tl.constexpr):\n    pass\n", "`:`", {0, 8}},
  });
  CHECK(parametersOf("def f(x-ptr, N = tl.constexpr):\n    x_ptr\n") == "x_ptr, N: tl.constexpr");
  // Defaults are none of these.
  CHECK(parseModule("def f(N=tl.float32, m=-1, c=tl.constexpr(0), *, k=2):\n    pass\n")
            ->diagnostics.empty());
}

TEST_CASE("the head of a function in other words is a function", "[syntax]") {
  check({
      {"def f x, N: tl.constexpr:\n    pass\n",
       "def f(x, N: tl.constexpr):\n    pass\n",
       "expected `(`",
       {0, 6}},
      {"def my kernel(x):\n    pass\n", "def my_kernel(x):\n    pass\n", "one word", {0, 4}},
      {"def my-kernel(x):\n    pass\n", "def my_kernel(x):\n    pass\n", "one word", {0, 4}},
      {"@a.b\nDef f(x):\n    pass\n", "@a.b\ndef f(x):\n    pass\n", "`def`", {1, 0}},
      {"function f(x):\n    pass\n", "def f(x):\n    pass\n", "`def`", {0, 0}},
  });
  CHECK(parametersOf("def f x, N: tl.constexpr:\n    pass\n") == "x, N: tl.constexpr");
}

TEST_CASE("blocks as in other languages are blocks", "[syntax]") {
  check({
      {"if x {\n    y = 1\n}\nz = 2\n", "if x:\n    y = 1\nz = 2\n", "braces", {0, 5}},
      {"if x {  # why\n    y = 1\n}\n", "if x:  # why\n    y = 1\n", "braces", {0, 5}},
      {"if x {\n    y = 1\n} else:\n    y = 2\n",
       "if x:\n    y = 1\nelse:\n    y = 2\n",
       "braces",
       {0, 5}},
      {"def f(x) {\n    return x\n}\n", "def f(x):\n    return x\n", "braces", {0, 9}},
      {"if x then:\n    y = 1\n", "if x:\n    y = 1\n", "`then`", {0, 5}},
      {"while x do\n    y = 1\n", "while x:\n    y = 1\n", "`do`", {0, 8}},
      {"if x:\n    y = 1\nelse if z:\n    y = 2\nelse:\n    y = 3\n",
       "if x:\n    y = 1\nelif z:\n    y = 2\nelse:\n    y = 3\n",
       "`elif`",
       {2, 0}},
      {"tl.if x:\n    y = 1\nelse:\n    y = 3\n",
       "if x:\n    y = 1\nelse:\n    y = 3\n",
       "`if`",
       {0, 0}},
  });
}

TEST_CASE("operators, arguments and numbers of other languages are read as meant", "[syntax]") {
  check({
      {"y = tl.if(x, 1, 2)\n", "y = tl.where(x, 1, 2)\n", "`tl.where(c, a, b)`", {0, 7}},
      {"y = f(x =< 2, 1)\n", "y = f(x <= 2, 1)\n", "`<=`", {0, 8}},
      {"y = x => 2\n", "y = x >= 2\n", "`>=`", {0, 6}},
      {"y = f(a, mask:m)\n", "y = f(a, mask=m)\n", "`=`", {0, 13}},
      {"f(“hi”)\n", "f(\"hi\")\n", "straight quotes", {0, 2}},
      {"y = x ≤ 2\n", "y = x <= 2\n", "U+2264", {0, 6}},
      {"y = x – 2\n", "y = x - 2\n", "U+2013", {0, 6}},
      {"y = 2x + x\n", "y = 2 * x + x\n", "`2x`", {0, 4}},
      {"y = x / 2x\n", "y = x / (2 * x)\n", "`2x`", {0, 8}},
  });
  // A slice, a lambda and a dictionary have colons of their own.
  CHECK(parseModule("y = f(x[a:b], lambda c: d, {e: g}, h=1)\n")->diagnostics.empty());
}

TEST_CASE("blanks of web pages are one error, and blanks all the same", "[compiler]") {
  check({
      {"x = a\u00a0+ 1\n", "x = a + 1\n", "unexpected no-break space (U+00A0)", {0, 5}},
      {"def f(x):\n\u00a0\u00a0\u00a0\u00a0y = x\n\u00a0\u00a0\u00a0\u00a0return\u00a0y # \u00a0\n",
       "def f(x):\n    y = x\n    return y #  \n",
       "unexpected no-break spaces (U+00A0), as web pages have, 10 of them",
       {1, 0}},
      {"x = f(a,\u3000b)\n", "x = f(a, b)\n", "ideographic space (U+3000)", {0, 8}},
  });
  // Some lines have them, others have not.
  const auto mixed = parseModule("def f(x):\n    y = x\n\u00a0\u00a0\u00a0\u00a0return y\n");
  CHECK(mixed->diagnostics.size() == 1);
  // In a string they are what it holds.
  CHECK(parseModule("x = 'a\u00a0b'\n")->diagnostics.empty());
}

TEST_CASE("`switch` is one error that says what Python has, and a name elsewhere", "[compiler]") {
  const auto tree =
      parseModule("def f(mode, x):\n    switch mode:\n        case 0:\n            x = x * 2\n"
                  "        case 1:\n            x = x * 3\n    return x\n");
  REQUIRE(tree->diagnostics.size() == 1);
  CHECK(tree->diagnostics[0].message ==
        "Python has no `switch`: write `if mode == 0:`, then `elif mode == 1:`");
  CHECK(tree->diagnostics[0].range.begin == Position{1, 4});
  CHECK(parseModule("switch = 1\nif switch:\n    switch += 1\n")->diagnostics.empty());
}
