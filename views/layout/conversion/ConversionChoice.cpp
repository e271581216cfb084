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
  for (const auto &fits : {isAt, isOnLine}) {
    int best = -1;
    const auto rank = [&](int index) {
      return std::tuple(extentOf(conversions[static_cast<size_t>(index)].range), index != current);
    };
    for (const size_t at : order) {
      const SourceRange &range = conversions[at].range;
      const auto index = static_cast<int>(at);
      if (range.file == 0 && !range.empty() && fits(range, focus) &&
          (best < 0 || rank(index) < rank(best)))
        best = index;
    }
    if (best >= 0)
      return best;
  }
  return -1;
}

} // namespace tilescope::views
