// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// docs/guide/walkthrough-transpose.md, replayed.
#include "tests/gui/WalkthroughReplay.h"

using namespace tilescope::tests;

TEST_CASE("the walkthrough of a transpose is what the window shows", "[gui][worker][walkthrough]") {
  WalkthroughReplay test({.page = "walkthrough-transpose.md",
                          .start = "transpose_0_rows.py",
                          .sizes = {{"n_rows", "200"}, {"n_cols", "1100"}}});
  test.replay("transpose_2_tiles.py");
}
