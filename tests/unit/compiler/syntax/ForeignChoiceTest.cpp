// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignChoice.h"

#include <catch2/catch.hpp>

using tilescope::compiler::ast::foreignChoice;

static std::string meantBy(std::string_view line) {
  const auto choice = foreignChoice(line, line.find('?'));
  return choice ? choice->meant : std::string();
}

TEST_CASE("the choice of C is the whole of what is assigned", "[compiler]") {
  CHECK(meantBy("    y = x > 0 ? x : 0.0  # positive") == "tl.where(x > 0, x, 0.0)");
  CHECK(meantBy("y += (a == b) ? f(x[1:2], 3) : -x;") == "tl.where((a == b), f(x[1:2], 3), -x)");
  CHECK(meantBy("y = x >= 0 ? 1 : 2") == "tl.where(x >= 0, 1, 2)");
  const auto choice = foreignChoice("  y = c ? a : b ", 8);
  REQUIRE(choice);
  CHECK(choice->begin == 6);
  CHECK(choice->end == 15);
  for (const char *other : {"f(x > 0 ? x : 0)", "y = f(x ? 1 : 2)", "y = a ? b ? 1 : 2 : 3",
                            "y = x ? 1", "y = ? 1 : 2", "x == 0 ? 1 : 2"}) {
    INFO(other);
    CHECK(meantBy(other).empty());
  }
}
