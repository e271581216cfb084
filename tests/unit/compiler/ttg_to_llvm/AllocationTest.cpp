// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/Allocation.h"

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope::compiler;

TEST_CASE("memory of what is not alive together is shared", "[compiler]") {
  MemoryPlan plan = planMemory({{1024, 16, 0, 5}, {512, 16, 2, 9}, {1024, 16, 5, 9}});
  CHECK(plan.offsets[0] == 0);
  CHECK(plan.offsets[1] == 1024);
  CHECK(plan.offsets[2] == 0);
  CHECK(plan.total == 1536);
}

TEST_CASE("buffers start at multiples of their alignment", "[compiler]") {
  MemoryPlan plan = planMemory({{20, 4, 0, 3}, {8, 128, 0, 3}});
  CHECK(plan.offsets[0] == 0);
  CHECK(plan.offsets[1] == 128);
}

TEST_CASE("no plan lets living buffers overlap", "[compiler]") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<MemoryRequest> requests;
    for (int i = 0; i < 12; ++i) {
      int64_t begin = random() % 20;
      requests.push_back({int64_t(1 + random() % 300), int64_t(1) << (random() % 8), begin,
                          begin + 1 + int64_t(random() % 8)});
    }
    MemoryPlan plan = planMemory({requests.data(), requests.size()});
    for (size_t x = 0; x < requests.size(); ++x) {
      REQUIRE(plan.offsets[x] % requests[x].alignment == 0);
      REQUIRE(plan.offsets[x] + requests[x].size <= plan.total);
      for (size_t y = 0; y < x; ++y) {
        bool together = requests[x].begin < requests[y].end && requests[y].begin < requests[x].end;
        bool overlap = plan.offsets[x] < plan.offsets[y] + requests[y].size &&
                       plan.offsets[y] < plan.offsets[x] + requests[x].size;
        REQUIRE_FALSE((together && overlap));
      }
    }
  }
}
