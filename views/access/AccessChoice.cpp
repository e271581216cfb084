// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessChoice.h"

#include "views/common/FocusFit.h"

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::AccessFacts;

int chooseAccess(const std::vector<AccessFacts> &accesses, const Focus &focus, int current) {
  // The least is the best.
  const auto rank = [&](int index) {
    const AccessFacts &access = accesses[static_cast<size_t>(index)];
    return std::tuple(textExtent(access.range), index != current, isShared(access.action),
                      ~std::max(access.counts.bytesFetched, access.counts.wavefronts));
  };
  for (const auto &fits : {isAtFocus, isOnFocusLine}) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(accesses.size()); ++i) {
      const SourceRange &range = accesses[static_cast<size_t>(i)].range;
      if (range.file == 0 && !range.empty() && fits(range, focus) &&
          (best < 0 || rank(i) < rank(best)))
        best = i;
    }
    if (best >= 0)
      return best;
  }
  return -1;
}

} // namespace tilescope::views
