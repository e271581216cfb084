// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ConversionChoice.h"

#include "compiler/access/picture/ConversionWords.h"
#include "views/common/FocusMatch.h"

#include <tuple>

namespace tilescope::views {

using compiler::ConversionFacts;

int chooseConversion(const std::vector<ConversionFacts> &conversions, const Focus &focus,
                     int current) {
  const std::vector<size_t> order = compiler::access::dearestFirst(conversions);
  const auto conversion = [&](int place) {
    return place < 0 ? -1 : static_cast<int>(order[static_cast<size_t>(place)]);
  };
  const auto rangeOf = [&](int place) -> const SourceRange & {
    return conversions[order[static_cast<size_t>(place)]].range;
  };
  const auto rank = [&](int place) {
    return std::tuple(extentOf(rangeOf(place)), conversion(place) != current);
  };
  return conversion(bestAt(focus, order.size(), rangeOf, rank));
}

} // namespace tilescope::views
