// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/HeldElements.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

using compiler::LayoutBases;

const std::vector<std::vector<int32_t>> &HeldBlock::basesOf(std::string_view input) const {
  static const std::vector<std::vector<int32_t>> kNone;
  const auto found = std::ranges::find(m_facts->layout, input, &LayoutBases::input);
  return found == m_facts->layout.end() ? kNone : found->bases;
}

int64_t HeldBlock::extentOf(std::string_view input) const {
  return int64_t{1} << std::min<size_t>(basesOf(input).size(), 62);
}

bool HeldBlock::contains(const std::vector<int64_t> &element) const {
  return std::ranges::equal(element, m_facts->shape, [](int64_t index, int64_t extent) {
    return index >= 0 && index < extent;
  });
}

/// Adds the images of the set bits of a number.
static void addImages(const std::vector<std::vector<int32_t>> &bases, int64_t number,
                      std::vector<int64_t> &element) {
  for (size_t bit = 0; bit < bases.size(); ++bit)
    for (size_t dim = 0; (number >> bit & 1) != 0 && dim < element.size(); ++dim)
      element[dim] ^= bases[bit][dim];
}

std::optional<std::vector<int64_t>> HeldBlock::elementAt(const HeldPlace &place) const {
  const auto isIn = [](int64_t number, int64_t extent) { return number >= 0 && number < extent; };
  if (!isIn(place.reg, extentOf("register")) || !isIn(place.lane, extentOf("lane")) ||
      !isIn(place.warp, extentOf("warp")))
    return std::nullopt;
  std::vector<int64_t> element(m_facts->shape.size(), 0);
  addImages(basesOf("register"), place.reg, element);
  addImages(basesOf("lane"), place.lane, element);
  addImages(basesOf("warp"), place.warp, element);
  return element;
}

std::vector<HeldPlace> HeldBlock::holdersOf(const std::vector<int64_t> &element) const {
  std::vector<HeldPlace> holders;
  for (int64_t warp = 0; warp < extentOf("warp"); ++warp)
    for (int64_t lane = 0; lane < extentOf("lane"); ++lane)
      for (int64_t reg = 0; reg < extentOf("register"); ++reg)
        if (const HeldPlace place{reg, lane, warp}; elementAt(place) == element)
          holders.push_back(place);
  return holders;
}

std::string HeldBlock::words() const {
  return fmt::format("The block of {} elements is spread over {} warp{} of {} lanes with {} "
                     "register{} each.",
                     fmt::join(m_facts->shape, " × "), extentOf("warp"),
                     extentOf("warp") == 1 ? "" : "s", extentOf("lane"), extentOf("register"),
                     extentOf("register") == 1 ? "" : "s");
}

} // namespace tilescope::app
