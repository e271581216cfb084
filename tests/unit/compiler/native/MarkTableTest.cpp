// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/MarkTable.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope::native;

static bool isClear(const MarkTable &table) {
  return std::ranges::all_of(table.marks(), [](uint32_t mark) { return mark == 0; });
}

TEST_CASE("tables of marks begin clear and keep what is written, whatever their size",
          "[compiler][native]") {
  for (const size_t count : {size_t(0), size_t(1), size_t(16'000), size_t(100'000), size_t(524'288),
                             size_t(1'000'003)}) {
    INFO(count);
    MarkTable table(count);
    REQUIRE(table.marks().size() == std::max<size_t>(count, 1));
    CHECK(isClear(table));
    auto *marks = reinterpret_cast<uint32_t *>(table.address());
    std::iota(marks, marks + table.marks().size(), 1U);
    const MarkTable moved(std::move(table));
    CHECK(moved.marks().front() == 1);
    CHECK(moved.marks().back() == moved.marks().size());
    CHECK(isClear(MarkTable(count)));
  }
}

TEST_CASE("all but small tables of marks lie where a large page may", "[compiler][native]") {
  constexpr uint64_t kLargePage = uint64_t{2} << 20;
  for (const size_t count : {size_t(20'000), size_t(750'000), size_t(2'000'000)})
    CHECK(MarkTable(count).address() % kLargePage == 0);
}
