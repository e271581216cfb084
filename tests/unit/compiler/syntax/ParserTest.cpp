// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The trees of valid files are compared with Python's own by tests/conformance; here are a few by
// hand.
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>
#include <chrono>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;

static std::string dumped(const std::string &source) {
  auto tree = parseModule(source);
  CHECK(tree->diagnostics.empty());
  return dumpAst(*tree->module).text;
}

TEST_CASE("a statement becomes a tree of Python's names", "[compiler]") {
  CHECK(dumped("x = a + b * 2\n") == R"(Module
  body: Assign
    targets: Name id='x' ctx=Store
    value: BinOp op=Add
      left: Name id='a'
      right: BinOp op=Mult
        left: Name id='b'
        right: Constant value=2
)");
}

TEST_CASE("every line of a dump knows where it came from", "[compiler]") {
  auto tree = parseModule("if x:\n    y = 1\n");
  AstDump dump = dumpAst(*tree->module);
  REQUIRE(dump.sourceMap.lines.size() == 6);
  SourceRange assign = dump.sourceMap.lines[3].sources.at(0);
  CHECK(assign.begin == Position{1, 4});
  CHECK(assign.end == Position{1, 9});
  CHECK(tree->text(assign) == "y = 1");
}

TEST_CASE("f-strings nest", "[compiler]") {
  CHECK(dumped(R"(f"a{f'{x!r:>{w}}'}b{{"
)") == R"(Module
  body: Expr
    value: JoinedStr
      values: Constant value='a'
      values: FormattedValue conversion=-1
        value: JoinedStr
          values: FormattedValue conversion=114
            value: Name id='x'
            format_spec: JoinedStr
              values: Constant value='>'
              values: FormattedValue conversion=-1
                value: Name id='w'
      values: Constant value='b{'
)");
}

TEST_CASE("identifiers are normalized and columns count bytes", "[compiler]") {
  auto tree = parseModule("\xEF\xAC\x81x = 1; y = 2\n");
  REQUIRE(tree->module->body.size() == 2);
  auto *first = as<Assign>(tree->module->body[0]);
  CHECK(as<Name>(first->targets[0])->id == "fix");
  CHECK(tree->module->body[1]->range.begin.column == 10);
}

TEST_CASE("line ends of every kind count once", "[compiler]") {
  auto tree = parseModule("a\r\nb\rc\n'''d\r\ne'''\n");
  REQUIRE(tree->module->body.size() == 4);
  for (uint32_t i = 0; i < 4; ++i)
    CHECK(tree->module->body[i]->range.begin.line == i);
  auto *text = as<Constant>(as<ExprStmt>(tree->module->body[3])->value);
  CHECK(text->text == "d\ne");
}

TEST_CASE("a single expression is parsed from a text", "[compiler]") {
  ParsedExpression parsed = parseExpression(" (1,\n 2) ");
  REQUIRE(parsed.expr);
  CHECK(parsed.expr->kind == NodeKind::Tuple);
  CHECK_FALSE(parseExpression("1; 2").expr);
  CHECK_FALSE(parseExpression("x = 1").expr);
}

TEST_CASE("deep nesting ends in one diagnostic", "[compiler]") {
  auto check = [](const std::string &source) {
    auto tree = parseModule(source);
    REQUIRE(tree->diagnostics.size() >= 1);
    CHECK(tree->diagnostics.size() <= 3);
    bool found = false;
    for (const Diagnostic &diagnostic : tree->diagnostics)
      found |= diagnostic.kind == DiagnosticKind::SyntaxNestedTooDeeply;
    CHECK(found);
    dumpAst(*tree->module);
  };
  auto repeated = [](const std::string &part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += part;
    return text;
  };
  static constexpr int kMany = 20000;
  check(repeated("(", kMany) + "1" + repeated(")", kMany) + "\n");
  check(repeated("[", kMany) + repeated("]", kMany) + "\n");
  check(repeated("-", kMany) + "1\n");
  check(repeated("not ", kMany) + "1\n");
  check("1" + repeated(" + 1", kMany) + "\n");
  check("a" + repeated(".b", kMany) + "\n");
  check("f" + repeated("()", kMany) + "\n");
  check("1" + repeated(" ** 1", kMany) + "\n");
  check(repeated("lambda: ", kMany) + "1\n");
  check("if a:\n    pass\n" + repeated("elif a:\n    pass\n", kMany));
  check("match x:\n    case " + repeated("[", kMany) + repeated("]", kMany) + ":\n        pass\n");
  std::string blocks;
  for (int i = 0; i < 500; ++i)
    blocks += std::string(i, ' ') + "if x:\n";
  check(blocks + std::string(500, ' ') + "pass\n");
}

TEST_CASE("long flat lists are not nesting", "[compiler]") {
  std::string source = "x = [";
  for (int i = 0; i < 100000; ++i)
    source += "1, ";
  auto tree = parseModule(source + "]\n");
  CHECK(tree->diagnostics.empty());
}
