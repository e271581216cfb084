// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static std::string messageFor(bool hasConstexprs, std::optional<std::set<std::string>> names,
                              std::optional<std::set<std::string>> chosen = std::nullopt) {
  HintFacts facts;
  facts.kernel.unusedArguments = {"n"};
  facts.hasConstexprs = hasConstexprs;
  facts.names = std::move(names);
  facts.chosenNames = std::move(chosen);
  std::vector<FoundHint> hints;
  findUnusedArgument(facts, hints);
  REQUIRE(hints.size() == 1);
  return hints.front().message;
}

TEST_CASE("an argument that the body does not name is unused with all constexprs", "[compiler]") {
  using Names = std::set<std::string>;
  CHECK(messageFor(true, Names{"x_ptr"}) == "`n` is not used");
  CHECK(messageFor(true, Names{"n", "x_ptr"}) == "`n` is not used with these constexprs");
  CHECK(messageFor(true, std::nullopt) == "`n` is not used with these constexprs");
  CHECK(messageFor(false, Names{"n"}) == "`n` is not used");
}

TEST_CASE("constexprs are blamed only where others may use the argument", "[compiler]") {
  using Names = std::set<std::string>;
  const char *plain =
      "`n` is not used: the kernel names it, but nothing that it does depends on it";
  CHECK(messageFor(true, Names{"n", "x_ptr"}, Names{"x_ptr"}) == plain);
  CHECK(messageFor(false, Names{"n"}, Names{}) == plain);
  CHECK(messageFor(true, Names{"n", "x_ptr"}, Names{"n"}) ==
        "`n` is not used with these constexprs");
  CHECK(messageFor(true, Names{"x_ptr"}, Names{}) == "`n` is not used");
}
