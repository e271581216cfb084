// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// docs/guide/walkthrough-matmul.md, replayed.
#include "tests/gui/WalkthroughReplay.h"

using namespace tilescope::tests;

TEST_CASE("the walkthrough of a product is what the window shows", "[gui][worker][walkthrough]") {
  WalkthroughReplay test({.page = "walkthrough-matmul.md",
                          .start = "matmul_0_waiting.py",
                          .sizes = {{"M", "300"}, {"N", "520"}, {"K", "200"}}});
  test.replay("matmul_4_wide.py");
}
