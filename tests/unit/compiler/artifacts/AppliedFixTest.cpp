// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/AppliedFix.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static SourceRange range(uint32_t line, uint32_t begin, uint32_t end) {
  return {{line, begin}, {line, end}, 0};
}

TEST_CASE("ranges move with what a fix writes before them", "[compiler]") {
  // `f(x, y)` becomes `f(long, y)`.
  const DiagnosticFix word{range(1, 2, 3), "long", ""};
  CHECK(fixedText("a\nf(x, y)\n", word) == "a\nf(long, y)\n");
  CHECK(writtenRange(word) == range(1, 2, 6));
  CHECK(movedRange(word, range(0, 0, 1)) == range(0, 0, 1));
  CHECK(movedRange(word, range(1, 0, 7)) == range(1, 0, 10));
  CHECK(movedRange(word, range(1, 5, 6)) == range(1, 8, 9));
  CHECK(movedRange(word, range(2, 1, 2)) == range(2, 1, 2));

  // Two lines in the place of a word.
  const DiagnosticFix lines{range(1, 2, 3), "g()\n  h", ""};
  CHECK(writtenRange(lines) == SourceRange{{1, 2}, {2, 3}, 0});
  CHECK(movedRange(lines, range(1, 5, 6)) == range(2, 5, 6));
  CHECK(movedRange(lines, range(4, 1, 2)) == range(5, 1, 2));

  SourceRange elsewhere = range(1, 5, 6);
  elsewhere.file = 1;
  CHECK(movedRange(word, elsewhere) == elsewhere);
}
