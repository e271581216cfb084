// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/BytesText.h"

#include <cstdio>
#include <iterator>

namespace tilescope {

std::string bytesText(uint64_t bytes) {
  constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  constexpr double kStep = 1024;
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= kStep && unit + 1 < std::size(kUnits); ++unit)
    value /= kStep;
  char text[32];
  const bool isWhole = value == static_cast<double>(static_cast<uint64_t>(value)) || value >= 100;
  snprintf(text, sizeof(text), isWhole ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

} // namespace tilescope
