// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ArenaPicture.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

static compiler::ModelSlot slot(uint32_t kernel, uint64_t offset, uint64_t bytes, uint32_t last) {
  return {kernel, {}, offset, bytes, last};
}

TEST_CASE("tensors lie at their steps and bytes", "[model][arena]") {
  compiler::ModelResult model;
  model.kernels.resize(3);
  model.arenaBytes = 100;
  model.leastArenaBytes = 80;
  // The third takes the place of the first; it is the model's output.
  model.slots = {slot(0, 0, 40, 1), slot(1, 40, 40, 2), slot(2, 0, 30, 3)};
  const ArenaPicture picture(model);
  REQUIRE(picture.numSlots() == 3);
  CHECK(picture.slot(0) == GridRect{0, 0, 0.5, 0.4});
  CHECK(picture.slot(1) == GridRect{0.25, 0.4, 0.5, 0.4});
  CHECK(picture.slot(2) == GridRect{0.5, 0, 0.5, 0.3});
  CHECK(picture.liveBytes() == std::vector<uint64_t>{40, 80, 70, 30});
  CHECK(picture.leastHeight() == Approx(0.8));
  CHECK(picture.slotAt({0.1, 0.1}) == 0);
  CHECK(picture.slotAt({0.6, 0.1}) == 2);
  CHECK(picture.slotAt({0.1, 0.5}) == -1);
}
