// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/MarkTable.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
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

TEST_CASE("tables of marks begin clear in memory of others, too", "[compiler][native]") {
  KeptPages kept;
  uint64_t first = 0;
  for (const size_t count : {size_t(1'000'003), size_t(900'000), size_t(1'048'576), size_t(50)}) {
    INFO(count);
    MarkTable table(count, &kept);
    if (count == 1'000'003)
      first = table.address();
    // What is much smaller, or larger, has memory of its own.
    CHECK((table.address() == first) == (count > 50));
    REQUIRE(table.marks().size() == count);
    CHECK(isClear(table));
    std::memset(reinterpret_cast<void *>(table.address()), 0xff, count * sizeof(uint32_t));
    const MarkTable moved(std::move(table));
    CHECK(moved.marks().back() == UINT32_MAX);
  }
  const MarkTable one(1'000'000, &kept), two(1'000'000, &kept);
  CHECK(one.address() != two.address());
  CHECK(isClear(one));
  CHECK(isClear(two));
}

TEST_CASE("all but small tables of marks lie where a large page may", "[compiler][native]") {
  constexpr uint64_t kLargePage = uint64_t{2} << 20;
  for (const size_t count : {size_t(20'000), size_t(750'000), size_t(2'000'000)})
    CHECK(MarkTable(count).address() % kLargePage == 0);
}
