// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NestingLimit.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static std::string repeat(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += part;
  return text;
}

static std::string nested(std::string_view open, std::string_view close, int depth) {
  return repeat(open, depth) + repeat(close, depth);
}

static bool accepts(const std::string &text, StageId form = StageId::Ttir) {
  return !findNestingFault(text, form);
}

TEST_CASE("text may nest as deep as the limit, and no deeper", "[compiler]") {
  for (StageId form : {StageId::Ttir, StageId::Ttgir, StageId::LlvmIr, StageId::Ptx})
    for (auto [open, close] : {std::pair("(", ")"), std::pair("[", "]"), std::pair("{", "}")}) {
      CHECK(accepts(nested(open, close, kMaxNesting), form));
      CHECK_FALSE(accepts(nested(open, close, kMaxNesting + 1), form));
    }
  CHECK_FALSE(accepts(nested("<", ">", kMaxNesting + 1)));
  CHECK_FALSE(accepts(nested("!llvm.struct<(", ")>", kMaxNesting)));
  // One after the other nests nothing.
  CHECK(accepts(repeat("(<{[1]}>)", 10000)));
}

TEST_CASE("the place is that of the bracket that is too much", "[compiler]") {
  const auto fault =
      findNestingFault("one\ntwo " + repeat("tuple<", kMaxNesting + 5), StageId::Ttir);
  REQUIRE(fault);
  CHECK(fault->place == Position{1, static_cast<uint32_t>(4 + 6 * kMaxNesting + 5)});
  CHECK(fault->message.find("limit is 400 levels") != std::string::npos);
}

TEST_CASE("strings, comments, arrows and comparisons hold no brackets", "[compiler]") {
  const std::string many = repeat("(", 2 * kMaxNesting);
  CHECK(accepts("// " + many + "\n\"\\\"" + many + "\""));
  CHECK(accepts("; " + many + "\n\"\\\"; " + many, StageId::LlvmIr));
  CHECK(accepts(repeat("-> ", 2 * kMaxNesting) + repeat("<= 1 ", 2 * kMaxNesting)));
  CHECK(accepts(".reg .b32 %r<8>;" + repeat(" a < b", 2 * kMaxNesting), StageId::Ptx));
  // In LLVM IR a backslash is not an escape: the string ends, and brackets count again.
  CHECK_FALSE(accepts("\"\\\"" + many, StageId::LlvmIr));
  // A `<` that was left open ends with the bracket around it.
  CHECK(accepts(repeat("(a < b)", 2 * kMaxNesting)));
}

TEST_CASE("an alias counts by what it stands for", "[compiler]") {
  std::string chain = "#a0 = [1]\n";
  for (int i = 1; i < kMaxNesting; ++i)
    chain += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  const std::string last = "#a" + std::to_string(kMaxNesting - 1);
  CHECK(accepts(chain + "foo " + last + "\n"));
  CHECK_FALSE(accepts(chain + "foo [" + last + "]\n"));
  // A line break behind the equals sign hides nothing.
  CHECK_FALSE(accepts(chain + "#b =\n [" + last + "]\n#c = #b\n"));

  std::string doubling = "!a0 = tuple<i1>\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "!a" + std::to_string(i - 1);
    doubling += "!a" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
  }
  const auto fault = findNestingFault(doubling, StageId::Ttir);
  REQUIRE(fault);
  CHECK(fault->message.starts_with("`!a19` stands for more than 1048576 parts"));
  CHECK(fault->place.line == 19);

  // Half of it is not a fault, but thousands of uses are.
  const std::string large = doubling.substr(0, doubling.find("!a18 ="));
  CHECK(accepts(large + repeat("f(!a17)\n", 30)));
  const auto many = findNestingFault(large + repeat("f(!a17)\n", 3000), StageId::Ttir);
  REQUIRE(many);
  CHECK(many->message.starts_with("the text up to here stands for more than 16777216 parts"));
}

TEST_CASE("what follows aliases does not count as part of the last one", "[compiler]") {
  std::string text = "#loc = loc(unknown)\n#loc1 = loc(callsite(#loc at #loc))\nmodule {\n";
  for (int i = 0; i < 300000; ++i)
    text += "op(#loc1)\n";
  text += "}\n#loc2 = loc(callsite(#loc1 at #loc))\n";
  CHECK(accepts(text));
}
