// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LiveElements.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static const char *const kText = "# Title\n\nSee ![the accesses](live:accesses), and\n"
                                 "![who holds what](live:layout/x_ptr).\n\n"
                                 "![a picture](banks.png) [a view](tilescope:access)\n"
                                 "![again](live:accesses)\n";

TEST_CASE("Places of a text that show the kernel are found, each once") {
  const auto elements = liveElementsIn(kText);
  REQUIRE(elements);
  REQUIRE(elements->size() == 2);
  CHECK((*elements)[0].address == "live:accesses");
  CHECK((*elements)[0].argument.empty());
  CHECK((*elements)[1].argument == "x_ptr");
  CHECK(withoutLiveElements(kText) == "# Title\n\nSee , and\n.\n\n"
                                      "![a picture](banks.png) a view\n\n");
}

TEST_CASE("On paper, a line that is a link to a view is left out") {
  CHECK(withoutLiveElements("Look.\n\n[Open it](tilescope:access)\n\n## Next\n") ==
        "Look.\n\n\n\n## Next\n");
  CHECK(withoutLiveElements("[Open it](tilescope:access), and [read](https://a.b)\n[c](") ==
        "Open it, and [read](https://a.b)\n[c](");
  CHECK(withoutLiveElements("](tilescope:access)") == "](tilescope:access)");
}

TEST_CASE("A place that shows nothing is told with its line") {
  const auto elements = liveElementsIn("one\n\n![x](live:registers)\n");
  REQUIRE_FALSE(elements);
  CHECK(elements.error().message.starts_with("line 3: `live:registers` is nothing"));
  CHECK_FALSE(liveElementsIn("![x](live:layout/)"));
  CHECK(liveElementsIn("](live:accesses)")->empty());
}

TEST_CASE("A table lists what accesses cost, and a kernel without any says so") {
  LaunchOutcome outcome;
  const LiveElement accesses{"live:accesses", ""};
  CHECK(showElement(accesses, outcome).why == "the kernel does not compile");
  outcome.isCompiled = true;
  CHECK(showElement(accesses, outcome).why == "the accesses could not be counted");
  compiler::AccessFacts load;
  load.action = compiler::MemoryAction::GlobalLoad;
  load.argument = "x_ptr";
  load.range.begin.line = 20;
  load.vectorBytes = 4;
  load.counts.requests = 8;
  load.counts.sectors = 256;
  load.counts.bytesUsed = 1024;
  load.counts.bytesFetched = 8192;
  outcome.memory.emplace().accesses = {load};
  CHECK(showElement(accesses, outcome)
            .table.ends_with("| the load of `x_ptr` in line 21 | 4 bytes | 32 | 12.5 % |\n"));
  CHECK(showElement({"live:layout/y_ptr", "y_ptr"}, outcome).why.find("y_ptr") !=
        std::string::npos);
}
