// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessChoice.h"

#include "views/common/FocusMatch.h"

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::AccessFacts;

int chooseAccess(const std::vector<AccessFacts> &accesses, const Focus &focus, int current) {
  const auto rank = [&](int index) {
    const AccessFacts &access = accesses[static_cast<size_t>(index)];
    return std::tuple(extentOf(access.range), index != current, isShared(access.action),
                      ~std::max(access.counts.bytesFetched, access.counts.wavefronts));
  };
  const auto rangeOf = [&](int index) -> const SourceRange & {
    return accesses[static_cast<size_t>(index)].range;
  };
  return bestAt(focus, accesses.size(), rangeOf, rank);
}

} // namespace tilescope::views
