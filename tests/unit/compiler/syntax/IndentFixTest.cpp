// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which lines are moved where some stand wrong.
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace tilescope::compiler::ast;

TEST_CASE("of lines that stand wrong, the fewest are the likeliest", "[compiler]") {
  const auto titles = [](const char *source) {
    std::vector<std::string> all;
    const auto tree = parseModule(source);
    for (const auto &fix : tree->diagnostics.at(0).fixes)
      all.push_back(fix.title);
    return all;
  };
  using Titles = std::vector<std::string>;
  CHECK(titles("for i in x:\n    a = 1\nb = 2\n    c = 3\n    d = 4\ne = 5\n") ==
        Titles{"indent line 3", "unindent lines 4 to 5"});
  // Blank lines, comments and the rest of a bracket stand where they like.
  CHECK(
      titles("for i in x:\n    a = (1,\n         2)\n\n# note\nb = 2\n\n    c = 3\n    d = 4\n") ==
      Titles{"indent line 6", "unindent lines 8 to 9"});
  CHECK(titles("for i in x:\n    a = 1\nb = 2\nc = 3\n    d = 4\ne = 5\n") ==
        Titles{"indent as the line above", "indent lines 3 to 4"});
}
