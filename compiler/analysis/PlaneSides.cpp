// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/PlaneSides.h"

#include "compiler/analysis/LaunchExpressions.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler {

std::string PlaneSides::add(std::vector<std::string> sides, std::vector<SizeNeeds> &sizes) {
  for (size_t i = 0; i < sides.size(); ++i)
    if (const auto size = std::ranges::find(sizes, sides[i], &SizeNeeds::name);
        size != sizes.end()) {
      size->rank = std::max(size->rank, sides.size());
      size->isOuter |= i + 2 < sides.size();
    }
  std::string whole = productOf(sides, 0);
  m_sides[whole] = std::move(sides);
  return whole;
}

std::vector<std::string> PlaneSides::split(const std::vector<std::string> &shape) const {
  std::vector<std::string> sides;
  for (const std::string &extent : shape)
    if (const auto plane = m_sides.find(extent); plane != m_sides.end())
      sides.insert(sides.end(), plane->second.begin(), plane->second.end());
    else
      sides.push_back(extent);
  return sides;
}

} // namespace tilescope::compiler
