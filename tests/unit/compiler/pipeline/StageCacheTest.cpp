// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StageCache.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

TEST_CASE("keys tell pieces apart", "[compiler]") {
  CHECK(KeyBuilder().add("ab").add("c").key() == KeyBuilder().add("ab").add("c").key());
  CHECK(KeyBuilder().add("ab").add("c").key() != KeyBuilder().add("a").add("bc").key());
  CHECK(KeyBuilder().add("a").key() != KeyBuilder().add("b").key());
}

TEST_CASE("the cache drops what was unused for longest", "[compiler]") {
  StageCache<int> cache(100);
  const auto key = [](int i) { return KeyBuilder().add(static_cast<uint64_t>(i)).key(); };
  cache.insert(key(1), 1, 40);
  cache.insert(key(2), 2, 40);
  REQUIRE(cache.find(key(1)));
  cache.insert(key(3), 3, 40);
  CHECK(cache.find(key(2)) == nullptr);
  REQUIRE(cache.find(key(1)));
  CHECK(*cache.find(key(1)) == 1);
  CHECK(cache.sizeBytes() == 80);
  // A value too large for the limit still serves until the next one comes.
  cache.insert(key(4), 4, 1000);
  CHECK(cache.size() == 1);
  CHECK(*cache.find(key(4)) == 4);
}
