// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Evaluate.h"

#include "compiler/constant/Operators.h"
#include "compiler/syntax/Parser.h"
#include "tests/support/Sanitized.h"
#include "tests/support/ThreadTime.h"
#include "tests/unit/compiler/constant/PythonCases.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::constant;

static std::string evaluated(std::string_view text,
                             const std::map<std::string, Value, std::less<>> &names = {}) {
  ValueOrError result = evaluateText(text, names);
  return result ? repr(*result) : "!" + result.error().text();
}

TEST_CASE("expressions give what Python gives", "[compiler]") {
  for (const PythonCase &each : kPythonCases) {
    INFO(each.expression);
    CHECK(evaluated(each.expression) == each.expected);
  }
}

TEST_CASE("launch expressions know sizes and Triton's helpers", "[compiler]") {
  std::map<std::string, Value, std::less<>> names{{"n", Value::integer(1000)},
                                                  {"BLOCK", Value::integer(128)}};
  CHECK(evaluated("cdiv(n, BLOCK)", names) == "8");
  CHECK(evaluated("triton.cdiv(n, BLOCK)", names) == "8");
  CHECK(evaluated("next_power_of_2(n)", names) == "1024");
  CHECK(evaluated("next_power_of_2(1024)", names) == "1024");
  CHECK(evaluated("next_power_of_2(1)", names) == "1");
  CHECK(evaluated("next_power_of_2(0)", names) == "0");
  CHECK(evaluated("min(n, 65536 // 4)", names) == "1000");
  CHECK(evaluated("math.ceil(n / 3)", names) == "334");
  CHECK(evaluated("tl.float16", names) == "fp16");
  CHECK(evaluated("tl.pointer_type(tl.float16)", names) == "pointer<fp16>");
  CHECK(evaluated("tl.float16.primitive_bitwidth", names) == "16");
  CHECK(evaluated("tl.int32.is_int() and not tl.uint8.is_int_signed()", names) == "True");
  CHECK(evaluated("tl.constexpr(5)", names) == "5");
  CHECK(evaluated("tl.float15", names) ==
        "!AttributeError: module 'triton.language' has no attribute 'float15'");
}

TEST_CASE("a name of the caller hides a builtin", "[compiler]") {
  CHECK(evaluated("min", {{"min", Value::integer(3)}}) == "3");
}

TEST_CASE("a configuration keeps constants and options apart", "[compiler]") {
  ValueOrError result = evaluateText(
      "[triton.Config({'BLOCK': b}, num_warps=4, num_stages=2) for b in (64, 128)]", {});
  REQUIRE(result);
  REQUIRE(result->items().size() == 2);
  auto *config = result->items()[1].as<ConfigObject>();
  REQUIRE(config);
  CHECK(repr(config->kwargs) == "{'BLOCK': 128}");
  REQUIRE(config->options.size() == 2);
  CHECK(config->options[0].first == "num_warps");
  CHECK(repr(config->options[1].second) == "2");
}

TEST_CASE("results that would exhaust memory are refused", "[compiler]") {
  for (const char *text :
       {"10 ** 10 ** 10", "1 << 10 ** 12", "'a' * 10 ** 12", "[0] * 10 ** 9", "range(10 ** 12)",
        "[(x, y) for x in range(4000) for y in range(4000)]"}) {
    INFO(text);
    CHECK(evaluated(text) == "!MemoryError: the result is too large to compute at compile time");
  }
}

TEST_CASE("an expression that would take too long is refused at once", "[compiler]") {
  const double startMs = tests::threadTimeMs();
  // Many steps; big results made bit by bit; small lists that are long to look at.
  for (const char *text :
       {"[0 for a in range(10 ** 6) for b in range(10 ** 6) if False]",
        "sum([sum(range(10 ** 5)) for i in range(10 ** 5)])",
        "[list(range(10 ** 6)) for i in range(1000)]",
        "[i in list(range(10 ** 5)) for i in range(10 ** 5)]",
        "len(set([(i, j) for i in range(1000) for j in range(1000)]))",
        "(a := 'x' * 10 ** 6, b := a + a, c := b + b, d := c + c, e := d + d, f := e + e)",
        "(a := 3 ** 60000, b := a * a)", "math.gcd(2 ** 99999 - 1, 3 ** 60000)",
        "pow(3, 2 ** 90000, 2 ** 90000 - 1)",
        "str((a := [0] * 1000, b := [a] * 1000, c := [b] * 1000))",
        "f'{[[0] * 1000] * 1000} {[[0] * 1000] * 1000}'",
        "((a := [0] * 1000, b := [a] * 1000, [b] * 1000) == 0)",
        "','.join(['x' * 10 ** 5 for i in range(1000)])"}) {
    INFO(text);
    CHECK(evaluated(text) == "!MemoryError: the result is too large to compute at compile time");
  }
  CHECK(evaluated("len(hex(1 << 99990))") == "25000");
  CHECK(evaluated("len(str(10 ** 25000))") == "25001");
  CHECK(evaluated("len(set([i // 2 for i in range(100000)]))") == "50000");
  CHECK(evaluated("{1: 'a', 1.0: 'b', True: 'c', (1, 2): 'd', (1.0, 2): 'e'}") ==
        "{1: 'c', (1, 2): 'e'}");
  CHECK(evaluated(std::string(100000, '(') + "1" + std::string(100000, ')')).starts_with("!"));
  CHECK(evaluated(std::string(100000, '-') + "1").starts_with("!"));
  CHECK(tests::threadTimeMs() - startMs < 5000 * tests::kSlowdown);
}

TEST_CASE("a failure names the innermost expression", "[compiler]") {
  auto parsed = ast::parseExpression("1 + (2 // 0) * 3");
  REQUIRE(parsed.expr);
  Evaluation result = evaluate(*parsed.expr, {});
  REQUIRE(!result);
  CHECK(result.error.error.type == "ZeroDivisionError");
  CHECK(result.error.range.begin == Position{0, 5});
  CHECK(result.error.range.end == Position{0, 11});
}

TEST_CASE("a syntax error in an expression is reported as such", "[compiler]") {
  CHECK(evaluated("1 +") == "!SyntaxError: expected expression, found end of line");
  CHECK(evaluated("1 2").starts_with("!SyntaxError: "));
  CHECK(evaluated("").starts_with("!SyntaxError: "));
}

TEST_CASE("errors say what they are about beside their words", "[compiler]") {
  struct Row {
    const char *text;
    Need need;
    const char *subject;
    bool namesNone;
  };
  const Row rows[] = {
      {"unknown + 1", Need::Nothing, "unknown", false},
      {"unknown()", Need::Nothing, "unknown", false},
      {"(1.0).softmax", Need::Nothing, "softmax", false},
      {"3[0]", Need::Sequence, "", false},
      {"None[0]", Need::Sequence, "", true},
      {"[i for i in 3]", Need::Sequence, "", false},
      {"len(None)", Need::Sequence, "", true},
      {"[a for a, b in [(1,)]]", Need::Sequence, "", false},
      {"(3)(4)", Need::Function, "", false},
      {"None + 1", Need::Nothing, "", true},
      {"-None", Need::Nothing, "", true},
      {"1 < None", Need::Nothing, "", true},
      {"1 // 0", Need::Nothing, "", false},
  };
  for (const Row &row : rows) {
    const ValueOrError result = evaluateText(row.text, {});
    INFO(row.text);
    REQUIRE_FALSE(result);
    INFO(result.error().text());
    CHECK(result.error().cause.need == row.need);
    CHECK(result.error().cause.subject == row.subject);
    CHECK(result.error().cause.namesNone == row.namesNone);
  }
}
