// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/LoopLines.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::ast;

TEST_CASE("lines that read a turn's own names, or change what it leaves, are the loop's",
          "[compiler]") {
  const char *head = "    for k in range(0, n, B):";
  CHECK(numLoopLines(head, {"v = tl.load(x + k)", "best = tl.maximum(best, v)",
                            "tl.store(y, tl.max(best))"}) == 2);
  CHECK(numLoopLines(head, {"s += tl.sum(tl.load(x + k))", "tl.store(y, s)"}) == 1);
  CHECK(numLoopLines(head, {"i = k + c", "v = tl.load(x + i)", "tl.store(y + i, v)"}) == 3);
  // The word of an argument and a member are no names.
  CHECK(numLoopLines(head, {"v = tl.load(x + k)", "tl.store(y.v, k=1)"}) == 1);
  CHECK(numLoopLines("while i < n:", {"s = s + 1", "i += 1", "t = s <= 3"}) == 2);
  CHECK(numLoopLines("if k:", {"v = k"}) == 0);
}
