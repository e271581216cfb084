// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which lines are moved where some stand wrong.
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace tilescope::compiler::ast;

using Titles = std::vector<std::string>;

static Titles titles(const char *source) {
  Titles all;
  const auto tree = parseModule(source);
  for (const auto &fix : tree->diagnostics.at(0).fixes)
    all.push_back(fix.title);
  return all;
}

TEST_CASE("of lines that stand wrong, the fewest are the likeliest", "[compiler]") {
  CHECK(titles("for i in x:\n    a = 1\nb = 2\n    c = 3\n    d = 4\ne = 5\n") ==
        Titles{"indent line 3", "unindent lines 4 to 5"});
  // Blank lines, comments and the rest of a bracket stand where they like.
  CHECK(
      titles("for i in x:\n    a = (1,\n         2)\n\n# note\nb = 2\n\n    c = 3\n    d = 4\n") ==
      Titles{"indent line 6", "unindent lines 8 to 9"});
  CHECK(titles("for i in x:\n    a = 1\nb = 2\nc = 3\n    d = 4\ne = 5\n") ==
        Titles{"indent as the line above", "indent lines 3 to 4"});
}

TEST_CASE("lines at the left edge within a function belong to it, however many they are",
          "[compiler]") {
  CHECK(titles("def f(x,\n      y\n):\n    a = x\nb = 2\nc = 3\n    return a + b\n") ==
        Titles{"indent lines 5 to 6", "indent as the line above"});
}
