// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignComment.h"

#include <catch2/catch.hpp>

using tilescope::compiler::ast::foreignComment;

/// Empty: no comment of C; `?`: one that cannot be written as one of Python's.
static std::string inPython(std::string_view code, bool beginsStatement = false) {
  const auto comment = foreignComment(code, beginsStatement);
  return comment ? comment->inPython.value_or("?") : "";
}

TEST_CASE("comments of C are told from quotients", "[compiler]") {
  CHECK(inPython("// double it\nx = 1") == "# double it");
  CHECK(inPython("//double it") == "#double it");
  CHECK(inPython("// 2 elements each") == "# 2 elements each");
  CHECK(inPython("// index\n", true) == "# index");
  CHECK(inPython("//", true) == "#");
  for (const char *quotient :
       {"// 2", "// n", "//n + 1", "// BLOCK if BLOCK else 1", "// n for n in x", "// BLOCK: 2 * i",
        "// (a b)", "// n  # by row", "// f(x y)", "/ 2", "//"})
    CHECK(inPython(quotient) == "");
}

TEST_CASE("what stands between `/*` and `*/` gets a `#` in each line", "[compiler]") {
  CHECK(inPython("/* double it */\nx = 1") == "# double it");
  CHECK(inPython("/* one\n     * two\n     */\n") == "# one\n     # two\n     #");
  CHECK(inPython("/* one\n   two */") == "# one\n   # two");
  CHECK(inPython("/* never closed") == "# never closed");
  CHECK(inPython("/* a */ x = 1") == "?");
  CHECK(foreignComment("/* a */ x = 1", true)->size == 7);
}
