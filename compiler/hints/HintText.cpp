// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintText.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace tilescope::compiler {

std::string numberText(double number) {
  std::array<char, 32> text{};
  const bool isWhole = std::abs(number - std::round(number)) < 0.05;
  std::snprintf(text.data(), text.size(), isWhole ? "%.0f" : "%.1f", number);
  return text.data();
}

std::string microsecondsText(double us) {
  constexpr double kTens = 10;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), us < kTens ? "%.1f µs" : "%.0f µs", us);
  return text.data();
}

std::string percentText(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

std::string countText(int64_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string otherLinesText(const std::vector<SourceRange> &places) {
  std::set<uint32_t> lines;
  for (const SourceRange &place : places)
    lines.insert(place.begin.line + 1);
  if (!places.empty())
    lines.erase(places.front().begin.line + 1);
  if (lines.empty())
    return "";
  std::string text = lines.size() == 1 ? "also in line " : "also in lines ";
  size_t left = lines.size();
  for (const uint32_t line : lines) {
    text += std::to_string(line);
    --left;
    text += left == 0 ? "" : left == 1 ? " and " : ", ";
  }
  return text;
}

} // namespace tilescope::compiler
