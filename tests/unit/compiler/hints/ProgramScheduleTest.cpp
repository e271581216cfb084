// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/ProgramSchedule.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

TEST_CASE("the longest program last ends late", "[compiler]") {
  CHECK(endOf({1, 1, 1, 1, 4}, 2) == 6);
  CHECK(endOf({4, 1, 1, 1, 1}, 2) == 4);
}

TEST_CASE("programs that all fit at once end with the longest", "[compiler]") {
  CHECK(endOf({3, 1, 2}, 8) == 3);
  CHECK(endOf({}, 8) == 0);
}

TEST_CASE("a single place takes the sum", "[compiler]") { CHECK(endOf({1, 2, 3}, 1) == 6); }
