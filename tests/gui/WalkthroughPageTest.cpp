// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/WalkthroughPage.h"

using namespace tilescope::tests;
using Lines = std::vector<std::string>;

TEST_CASE("a page's fenced blocks are what its reader does and sees", "[gui][walkthrough]") {
  const std::vector<PageBlock> blocks =
      pageBlocks("# A page\n\n```access tl.store\nfirst\n\nthird\n"
                 "```\nWords.\n```history\n+1 conversion\n```\n");
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].kind == "access");
  CHECK(blocks[0].argument == "tl.store");
  CHECK(blocks[0].lines == Lines{"first", "", "third"});
  CHECK(blocks[0].pageLine == 3);
  CHECK(blocks[1].kind == "history");
  CHECK(blocks[1].argument.empty());
}

TEST_CASE("an edit is read as neighboring lines before and behind it", "[gui][walkthrough]") {
  CHECK(hunks({" a", "-b", "+c", "+d", "@@", "-e", " "}) ==
        std::vector<Hunk>{{{"a", "b"}, {"a", "c", "d"}}, {{"e", ""}, {""}}});
}
