// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What broken source is told, where, and what is still parsed around it.
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;

namespace {
struct ErrorCase {
  const char *source;
  DiagnosticKind kind;
  Position begin;
  const char *message;
};
} // namespace

using Kind = DiagnosticKind;

static const ErrorCase kCases[] = {
    {"x = 1 +\n", Kind::SyntaxExpectedExpression, {0, 7}, "expected expression, found end of line"},
    {"x = 1 + def\n",
     Kind::SyntaxExpectedExpression,
     {0, 8},
     "expected expression, found the keyword `def`"},
    {"x = f(a b)\n",
     Kind::SyntaxExpectedToken,
     {0, 8},
     "expected `,` or `)` after the argument, found `b`"},
    {"x = (1 +\ny = 2\n", Kind::SyntaxUnclosedBracket, {0, 4}, "`(` was never closed"},
    {"x = {1: 2, 3\ny = 2\n", Kind::SyntaxUnclosedBracket, {0, 4}, "`{` was never closed"},
    {"x = [1, 2\n", Kind::SyntaxUnclosedBracket, {0, 4}, "`[` was never closed"},
    {"x = 1)\n", Kind::SyntaxUnmatchedBracket, {0, 5}, "unmatched `)`"},
    {"x = (1]\n", Kind::SyntaxUnmatchedBracket, {0, 6}, "closing `]` does not match opening `(`"},
    {"if x\n    y = 1\n",
     Kind::SyntaxExpectedToken,
     {0, 4},
     "expected `:` after `if`, found end of line"},
    {"if x:\ny = 1\n",
     Kind::SyntaxExpectedBlock,
     {1, 0},
     "expected an indented block after `if` on line 1"},
    {"if x = 1:\n    pass\n",
     Kind::SyntaxExpectedToken,
     {0, 5},
     "`=` assigns; write `==` to compare or `:=` to assign in an expression"},
    {"x = 1\n    y = 2\n", Kind::SyntaxIndentation, {1, 0}, "unexpected indent"},
    {"if x:\n        y = 1\n    z = 2\n",
     Kind::SyntaxIndentation,
     {2, 0},
     "unindent does not match any outer indentation level"},
    // The line after it has no error of its own.
    {"def f():\n    x = 1\n   y = 2\n    z = 3\n",
     Kind::SyntaxIndentation,
     {2, 0},
     "unindent does not match any outer indentation level"},
    {"if x && y:\n    pass\n",
     Kind::SyntaxExpectedExpression,
     {0, 5},
     "Python has no `&&`: write `and`, or `&` between blocks"},
    {"if x:\n\ty = 1\n        z = 2\n",
     Kind::SyntaxIndentation,
     {2, 0},
     "inconsistent use of tabs and spaces in indentation"},
    {"else:\n    pass\n",
     Kind::SyntaxMisplacedStatement,
     {0, 0},
     "`else` without a matching `if`, `for`, `while` or `try`"},
    {"return 1\n", Kind::SyntaxMisplacedStatement, {0, 0}, "`return` outside a function"},
    {"break\n", Kind::SyntaxMisplacedStatement, {0, 0}, "`break` outside a loop"},
    {"f() = 1\n", Kind::SyntaxInvalidTarget, {0, 0}, "cannot assign to a function call"},
    {"1 = x\n", Kind::SyntaxInvalidTarget, {0, 0}, "cannot assign to a literal"},
    {"del f()\n", Kind::SyntaxInvalidTarget, {0, 4}, "cannot delete a function call"},
    {"a + b += 1\n",
     Kind::SyntaxInvalidTarget,
     {0, 0},
     "an augmented assignment needs a name, an attribute or an item on its left"},
    {"(a, b): int\n",
     Kind::SyntaxInvalidTarget,
     {0, 0},
     "only a single target, not a tuple or list, can be annotated"},
    {"f(a=1, 2)\n",
     Kind::SyntaxInvalidArguments,
     {0, 7},
     "positional argument follows keyword argument"},
    {"f(a=1, a=2)\n", Kind::SyntaxInvalidArguments, {0, 7}, "keyword argument `a` is repeated"},
    {"f(1=2)\n",
     Kind::SyntaxInvalidArguments,
     {0, 3},
     "a keyword argument must be a name, e.g. `name=value`; use `==` to compare"},
    {"def f(a=1, b):\n    pass\n",
     Kind::SyntaxInvalidParameters,
     {0, 11},
     "parameter without a default follows a parameter with one"},
    {"def f(a, a):\n    pass\n",
     Kind::SyntaxInvalidParameters,
     {0, 9},
     "parameter `a` is repeated"},
    {"def f(*):\n    pass\n",
     Kind::SyntaxInvalidParameters,
     {0, 6},
     "named parameters must follow a bare `*`"},
    {"x = 'abc\n",
     Kind::SyntaxUnterminatedString,
     {0, 4},
     "string is not closed before the end of the line"},
    {"x = '''abc\n",
     Kind::SyntaxUnterminatedString,
     {0, 4},
     "triple-quoted string is never closed"},
    {"x = f'{a\n", Kind::SyntaxUnclosedBracket, {0, 6}, "`{` was never closed"},
    {"x = f'a}'\n",
     Kind::SyntaxInvalidFString,
     {0, 7},
     "single `}` in an f-string; write `}}` for a brace"},
    {"x = f'{a!z}'\n",
     Kind::SyntaxInvalidFString,
     {0, 9},
     "the conversion after `!` must be `s`, `r` or `a`"},
    {"x = '\\x1'\n", Kind::SyntaxInvalidEscape, {0, 4}, "truncated `\\xXX` escape"},
    {"x = '\\N{no such name}'\n",
     Kind::SyntaxInvalidEscape,
     {0, 4},
     "unknown Unicode character name `no such name`"},
    {"x = 012\n",
     Kind::SyntaxInvalidNumber,
     {0, 4},
     "leading zeros in the decimal number `012`; octal numbers begin with `0o`"},
    {"x = 1.5f * y\n", Kind::SyntaxInvalidNumber, {0, 4}, "invalid decimal literal `1.5f`"},
    {"x = y / 2.0.5\n",
     Kind::SyntaxInvalidNumber,
     {0, 8},
     "`2.0.5` is not a number: it has more than one point"},
    {"x = 12abc\n", Kind::SyntaxInvalidNumber, {0, 4}, "invalid decimal literal `12abc`"},
    {"x = 0b12\n", Kind::SyntaxInvalidNumber, {0, 4}, "invalid binary literal `0b12`"},
    {"x = $y\n", Kind::SyntaxInvalidCharacter, {0, 4}, "unexpected character `$`"},
    {"x = '\xff'\n",
     Kind::SyntaxInvalidEncoding,
     {0, 5},
     "the source is not valid UTF-8: the byte 0xff"},
    {"\xff\xfey = 1\n", Kind::SyntaxInvalidEncoding, {0, 0}, "the source is UTF-16, not UTF-8"},
    {"x = a\u00a0+ 1\n",
     Kind::SyntaxInvalidCharacter,
     {0, 5},
     "unexpected no-break space (U+00A0)"},
    {"imprt triton\n",
     Kind::SyntaxExpectedToken,
     {0, 6},
     "expected end of line after `imprt`, found `triton`; did you mean `import`?"},
    {"if a:\n        b\n\tc\n",
     Kind::SyntaxIndentation,
     {2, 0},
     "inconsistent use of tabs and spaces in indentation"},
    {"print 'a'\n",
     Kind::SyntaxExpectedToken,
     {0, 6},
     "expected end of line after `print`, found string; a call needs parentheses"},
    {"match x:\n    case a.b():\n        pass\n    case 1 + 2:\n        pass\n",
     Kind::SyntaxInvalidPattern,
     {3, 9},
     "a pattern can add only a real and an imaginary number"},
    {"match x:\n    case +:\n        pass\n",
     Kind::SyntaxInvalidPattern,
     {1, 9},
     "expected pattern, found `+`"},
    {"try:\n    pass\nx = 1\n",
     Kind::SyntaxExpectedToken,
     {2, 0},
     "expected `except` or `finally` after the block of `try` on line 1"},
    {"@triton.jit\nx = 1\n",
     Kind::SyntaxExpectedToken,
     {1, 0},
     "expected a function or class after the decorator, found `x`"},
    {"import\n", Kind::SyntaxExpectedToken, {0, 6}, "expected name of a module, found end of line"},
    {"x = tl.\n",
     Kind::SyntaxExpectedToken,
     {0, 7},
     "expected a name after `.`, found end of line"},
};

TEST_CASE("a line that leaves a bracket is gone back to once", "[compiler]") {
  for (const char *source : {"{1:\n2,=\n", "{**\na,=\n", "{1:\n2,=,=,=\n", "f(a,\nb,=,c=\nd,=\n"}) {
    INFO(source);
    CHECK(parseModule(source)->hasErrors());
  }
}

TEST_CASE("each mistake is reported at its place, in words that help", "[compiler]") {
  for (const ErrorCase &each : kCases) {
    INFO(each.source);
    auto tree = parseModule(each.source);
    REQUIRE(tree->diagnostics.size() == 1);
    const Diagnostic &diagnostic = tree->diagnostics[0];
    CHECK(diagnostic.kind == each.kind);
    CHECK(diagnostic.message == each.message);
    CHECK(diagnostic.range.begin == each.begin);
    CHECK(diagnostic.severity == Severity::Error);
    CHECK(diagnostic.range.begin <= diagnostic.range.end);
  }
}

/// What the only diagnostic's only fix makes of the source.
/// Where the fix of an open bracket closes it.
static Position closedAt(std::string source) {
  const std::shared_ptr<const SyntaxTree> tree = parseModule(std::move(source));
  for (const Diagnostic &diagnostic : tree->diagnostics)
    if (diagnostic.kind == DiagnosticKind::SyntaxUnclosedBracket && diagnostic.fixes.size() == 1)
      return diagnostic.fixes[0].range.begin;
  return {};
}

TEST_CASE("in the head of a block an open bracket is closed before the colon", "[syntax]") {
  CHECK(closedAt("def f(x, y: tl.constexpr:\n    z = x\n    return z\n") == Position{0, 24});
  CHECK(closedAt("if x:\n    if f(a:\n        b = 1\n    return a\n") == Position{1, 10});
  // A colon of a slice is not the end of a line.
  CHECK(closedAt("x = f(a[1:2]\ny = 1\n") == Position{0, 12});
}

/// With the only fix of the first of its errors.
static std::string mended(std::string source) {
  const auto tree = parseModule(source);
  REQUIRE_FALSE(tree->diagnostics.empty());
  REQUIRE(tree->diagnostics[0].fixes.size() == 1);
  const DiagnosticFix &fix = tree->diagnostics[0].fixes[0];
  const auto offset = [&](Position at) { return tree->lineOffsets[at.line] + at.column; };
  return source.replace(offset(fix.range.begin), offset(fix.range.end) - offset(fix.range.begin),
                        fix.replacement);
}

static std::string fixed(const std::string &source) {
  REQUIRE(parseModule(source)->diagnostics.size() == 1);
  return mended(source);
}

TEST_CASE("a bracket is closed before the line that begins a statement", "[compiler]") {
  CHECK(fixed("x = (1 + 2\ny = 2\n") == "x = (1 + 2)\ny = 2\n");
  CHECK(fixed("x = f(a, [1, 2  # two\ny = 2\n") == "x = f(a, [1, 2])  # two\ny = 2\n");
  CHECK(fixed("def f(x):\n    y = g(x\n    return y\n") ==
        "def f(x):\n    y = g(x)\n    return y\n");
  // An editor indents what follows to the bracket.
  const auto tree = parseModule("x = f(0, a\n      y = g(x))\n");
  REQUIRE(tree->diagnostics.size() == 1);
  CHECK(tree->diagnostics[0].message == "`(` was never closed");
  CHECK(tree->diagnostics[0].range.begin == Position{0, 5});
  CHECK(fixed("x = f(0, a\n      y = g(x))\n") == "x = f(0, a)\n      y = g(x))\n");
  // A keyword argument lacks a comma, not a bracket.
  CHECK(parseModule("x = f(0, a\n      y=g(x))\n")->diagnostics[0].message ==
        "expected `,` or `)` after the argument, found `y`");
  // Whole statements were read into the bracket.
  const std::string store = "    store(y, x)\n";
  CHECK(fixed("def f(y):\n    x = load(y,\n" + store) == "def f(y):\n    x = load(y,)\n" + store);
  const auto assigned = parseModule("def f(y):\n    x = load(y, mask=\n" + store);
  REQUIRE_FALSE(assigned->diagnostics.empty());
  CHECK(assigned->diagnostics[0].range.begin == Position{1, 12});
  CHECK(assigned->diagnostics[0].fixes.empty());
  // An operand is missing, too.
  CHECK(parseModule("x = (1 +\ny = 2\n")->diagnostics[0].fixes.empty());
}

TEST_CASE("a bracket may end in a line that begins as a statement does", "[compiler]") {
  for (const char *source : {"if any(a != b\n       for a in c):\n    x = 1\n",
                             "while f(a\n        if b else c):\n    x = 1\n",
                             "if [a\n    for a in g(')', c)]:\n    x = 1\n"}) {
    INFO(source);
    CHECK(parseModule(source)->diagnostics.empty());
  }
}

TEST_CASE("a body that is not indented is indented as far as it goes", "[compiler]") {
  CHECK(fixed("def f(x):\ny = x\nif y:\n    y = 2\n\nz = 3\n") ==
        "def f(x):\n    y = x\n    if y:\n        y = 2\n\nz = 3\n");
  CHECK(fixed("if a:\n    if b:\n    c = 1\n") == "if a:\n    if b:\n        c = 1\n");
  CHECK(parseModule("def f(x):\n@g\ndef h():\n    pass\n")->diagnostics[0].fixes.empty());
  // The first line alone was forgotten.
  const auto tree = parseModule("def f(x):\ny = x\n  return y\n");
  REQUIRE_FALSE(tree->diagnostics.empty());
  REQUIRE(tree->diagnostics[0].fixes.size() == 1);
  CHECK(tree->diagnostics[0].fixes[0].replacement == "  y = x");
  CHECK(tree->diagnostics[0].fixes[0].title == "indent line 2");
}

TEST_CASE("one open parenthesis is one error, whatever follows", "[compiler]") {
  const auto only = [](const std::string &source) {
    const auto tree = parseModule(source);
    INFO(source);
    REQUIRE(tree->diagnostics.size() == 1);
    CHECK(tree->diagnostics[0].message == "`(` was never closed");
    return tree->diagnostics[0].range.begin;
  };
  const std::string body = "    pid = g(0)\n    h(x)\n    return pid\n\n\n@d\ndef k():\n    pass\n";
  CHECK(only("def f(x, n:\n" + body) == Position{0, 5});
  CHECK(fixed("def f(x, n:\n" + body) == "def f(x, n):\n" + body);
  CHECK(fixed("def f(x,\n      n:\n    return x\n") == "def f(x,\n      n):\n    return x\n");
  CHECK(fixed("def f(x, n: int:\n" + body) == "def f(x, n: int):\n" + body);
  CHECK(only("def f(x, n\n" + body) == Position{0, 5});
  CHECK(only("def f(x, n\n    h(x)\n" + body) == Position{0, 5});
  // What begins a block belongs to no bracket.
  const std::string loop = "for i in r(3):\n    y += 1\nstore(y)\n";
  CHECK(fixed("y = load(x + o\n" + loop) == "y = load(x + o)\n" + loop);
  CHECK(only("y = load(x + o\nif y > 3:\n    y = 1\nelse:\n    y = 2\n") == Position{0, 8});
  CHECK(fixed("if (n > 3:\n    y = 1\n    z = 2\ny = 3\n") ==
        "if (n > 3):\n    y = 1\n    z = 2\ny = 3\n");
  // The body is that of the function.
  const auto tree = parseModule("def f(x, n\n" + body);
  REQUIRE(tree->module->body.size() == 2);
  CHECK(as<FunctionDef>(tree->module->body[0])->body.size() == 3);
  // Comprehensions and choices may begin lines in brackets.
  for (const char *whole : {"x = [a\n    for a in b\n    if a]\n", "y = {k: v\nfor k in v}\n",
                            "y = x[a if b else\nc:\nd]\n", "z = (a\n  if b\n  else c)\n"}) {
    INFO(whole);
    CHECK(parseModule(whole)->diagnostics.empty());
  }
  CHECK(parseModule("def f(x\n      n):\n    pass\n")->diagnostics[0].message ==
        "expected `,` or `)` after the parameter, found `n`");
}

TEST_CASE("lines that are indented too far are taken back as they are", "[compiler]") {
  CHECK(fixed("x = 1\n    y = 2\n\n    if y:\n        z = 3\nv = 4\n") ==
        "x = 1\ny = 2\n\nif y:\n    z = 3\nv = 4\n");
  CHECK(fixed("def f(x):\n    y = load(x)\n         z = 1\n    return z\n") ==
        "def f(x):\n    y = load(x)\n    z = 1\n    return z\n");
  // The rest of a call that was closed too early is one error.
  CHECK(fixed("y = load(x)\n         mask=m)\n") == "y = load(x)\nmask=m)\n");
  // In a string of several lines blanks count.
  CHECK(parseModule("x = 1\n    y = '''\n    a'''\n")->diagnostics[0].fixes.empty());
}

TEST_CASE("of a loop or branch the first line or all may lack indentation", "[compiler]") {
  const auto tree =
      parseModule("def f(x):\n    for i in r(3):\n    y = 1\n    z = 2\n    return z\n");
  REQUIRE(tree->diagnostics.size() == 1);
  const std::vector<DiagnosticFix> &fixes = tree->diagnostics[0].fixes;
  REQUIRE(fixes.size() == 2);
  CHECK(fixes[0].replacement == "        y = 1\n        z = 2");
  CHECK(fixes[1].replacement == "        y = 1");
  // Each branch is an error of its own, and `else` is where it belongs.
  const auto branches = parseModule("if x:\ny = 1\nelse:\ny = 2\n");
  REQUIRE(branches->diagnostics.size() == 2);
  REQUIRE(branches->diagnostics[0].fixes.size() == 1);
  CHECK(branches->diagnostics[0].fixes[0].title == "indent line 2");
  CHECK(branches->diagnostics[1].message == "expected an indented block after `else` on line 3");
  // Pasted at the margin, in a function that goes on behind it.
  const auto pasted = parseModule("def f(x):\n    for i in r(3):\ny = 1\n    return y\n");
  REQUIRE_FALSE(pasted->diagnostics.empty());
  REQUIRE(pasted->diagnostics[0].fixes.size() == 1);
  CHECK(pasted->diagnostics[0].fixes[0].replacement == "        y = 1");
}

TEST_CASE("a decorator ends the bracket that was left open before it", "[compiler]") {
  const auto tree = parseModule("def f(x):\n    print(x\n\n@triton.jit\ndef k():\n    pass\n");
  REQUIRE(tree->diagnostics.size() == 1);
  CHECK(tree->diagnostics.front().message == "`(` was never closed");
  CHECK(tree->diagnostics.front().range.begin == Position{1, 9});
  REQUIRE(tree->module->body.size() == 2);
  CHECK(as<FunctionDef>(tree->module->body[1])->decoratorList.size() == 1);
  // In an expression it is the product of matrices.
  CHECK(parseModule("x = (a\n@ b)\ny = (a\n@b)\n")->diagnostics.empty());
}

TEST_CASE("what is not text is one error", "[compiler]") {
  for (std::string source : {std::string("a\0b = $\n", 8), std::string("\xff\xfe\0\n\0", 5)}) {
    const auto tree = parseModule(source);
    REQUIRE(tree->diagnostics.size() == 1);
    CHECK(tree->diagnostics.front().kind == Kind::SyntaxInvalidEncoding);
  }
}

TEST_CASE("an unknown escape is only a warning", "[compiler]") {
  auto tree = parseModule("x = '\\d'\n");
  REQUIRE(tree->diagnostics.size() == 1);
  CHECK(tree->diagnostics[0].severity == Severity::Warning);
  CHECK_FALSE(tree->hasErrors());
}

TEST_CASE("several errors are reported and what is between them is parsed", "[compiler]") {
  auto tree = parseModule(R"(import triton
def first(a, b):
    x = a +
    y = b
    return x y

def second(:
    z = 1

if True
    w = 2

@triton.jit
def third(p, q):
    r = tl.load(p + q
    s = 1
    return s
)");
  CHECK(tree->diagnostics.size() == 5);
  std::vector<std::string_view> names;
  for (const Stmt *stmt : tree->module->body)
    if (auto *function = as<FunctionDef>(stmt))
      names.push_back(function->name);
  CHECK(names == std::vector<std::string_view>{"first", "second", "third"});
  auto *third = as<FunctionDef>(tree->module->body.back());
  REQUIRE(third);
  CHECK(third->args->args.size() == 2);
  CHECK(third->body.size() == 3);
  CHECK(third->decoratorList.size() == 1);
  auto *first = as<FunctionDef>(tree->module->body[1]);
  CHECK(first->body.size() == 3);
}

TEST_CASE("one broken argument spares the others", "[compiler]") {
  auto tree = parseModule("x = f(a, b +, c, d e, g)\ny = 1\n");
  CHECK(tree->diagnostics.size() == 1);
  auto *call = as<Call>(as<Assign>(tree->module->body[0])->value);
  REQUIRE(call);
  CHECK(call->args.size() == 7);
  CHECK(tree->module->body.size() == 2);
}

TEST_CASE("the number of errors is limited", "[compiler]") {
  std::string source;
  for (int i = 0; i < 1000; ++i)
    source += "x = )\n";
  CHECK(parseModule(source, {.maxErrors = 10})->diagnostics.size() == 10);
}

TEST_CASE("tabs among spaces become spaces, of the width with which most lines fit", "[compiler]") {
  // As wide as four blanks, the tab begins the body that the last line is in.
  CHECK(mended("def f(x):\n\ty = x\n    return y\n") == "def f(x):\n    y = x\n    return y\n");
  // As wide as eight, it begins the branches.
  const std::string branches = "def f(x):\n    if x:\n\ty = 1\n    else:\n\ty = 2\n    return y\n";
  CHECK(mended(branches) ==
        "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n");
  // What fits no level goes to the nearest; lines inside brackets and strings stay as they are.
  const std::string three =
      "def f(x):\n\ty = g(x,\n\t\tx)\n        z = \"\"\"\n\tt\"\"\"\n    return y\n";
  CHECK(mended(three) ==
        "def f(x):\n    y = g(x,\n\t\tx)\n    z = \"\"\"\n\tt\"\"\"\n    return y\n");
  for (const std::string &source : {branches, three})
    CHECK(parseModule(mended(source))->diagnostics.empty());
  // One definition is mended, the other is not touched.
  CHECK(mended("def f(x):\n\treturn x\n\ndef g(x):\n\ty = x\n        return y\n") ==
        "def f(x):\n\treturn x\n\ndef g(x):\n        y = x\n        return y\n");
  // Where only tabs are used there is nothing to turn.
  CHECK(parseModule("def f(x):\n\ty = x\n\t\tz = 1\n")->diagnostics[0].fixes.empty());
}

TEST_CASE("a clause in the body that it follows goes back to its statement", "[compiler]") {
  CHECK(mended("def f(x):\n    if x:\n        y = 1\n        else:\n            y = 2\n    return "
               "y\n") ==
        "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n");
  CHECK(mended("for i in x:\n    y = 1\n    else:\n        y = 2\n") ==
        "for i in x:\n    y = 1\nelse:\n    y = 2\n");
  // It follows nothing that could have one.
  CHECK(parseModule("def f(x):\n    y = 1\n    else:\n        y = 2\n")
            ->diagnostics[0]
            .fixes.empty());
}
