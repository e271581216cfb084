// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// docs/guide/walkthrough-softmax.md, replayed.
#include "tests/gui/WalkthroughReplay.h"

using namespace tilescope::tests;

TEST_CASE("the walkthrough of a softmax is what the window shows", "[gui][worker][walkthrough]") {
  WalkthroughReplay test({.page = "walkthrough-softmax.md",
                          .start = "softmax_0_column.py",
                          .sizes = {{"n_cols", "100"}}});
  test.replay("softmax_2_sectors.py");
}
