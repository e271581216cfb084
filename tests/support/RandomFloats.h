// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <random>
#include <vector>

namespace tilescope::tests {

/// Of the normal distribution, the same for the same seed.
inline std::vector<float> randomFloats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return values;
}

} // namespace tilescope::tests
