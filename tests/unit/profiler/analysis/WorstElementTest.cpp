// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

TEST_CASE("of elements that are equally wrong, the worst is the one that is off by most",
          "[profiler]") {
  Tensor doubled = makeTensor(Dtype::Fp32, {1000}, {}), tripled = doubled;
  for (int64_t i = 0; i < 1000; ++i) {
    doubled.set(i, 2.0 * static_cast<double>(i));
    tripled.set(i, 3.0 * static_cast<double>(i));
  }
  const OutputComparison result = compareTensors(doubled, tripled);
  CHECK(result.mismatches == 999);
  CHECK(result.firstMismatch == std::vector<int64_t>{1});
  CHECK(result.worst == std::vector<int64_t>{999});
  CHECK(result.worstActual == 1998);
}
