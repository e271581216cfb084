// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/shared/BufferChoice.h"

#include "views/common/FocusMatch.h"

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::SharedAccess;
using compiler::SharedFacts;

static BufferChoice chooseWhere(const SharedFacts &facts, int current, auto fits) {
  BufferChoice best;
  // The least is the best.
  std::tuple<int64_t, bool, bool, bool> least;
  const auto offer = [&](const SourceRange &range, BufferChoice offered, bool isUncounted) {
    if (range.file != 0 || range.empty() || !fits(range))
      return;
    const std::tuple rank(extentOf(range), offered.buffer != current, offered.access < 0,
                          isUncounted);
    if (best.buffer < 0 || rank < least) {
      best = offered;
      least = rank;
    }
  };
  for (size_t i = 0; i < facts.accesses.size(); ++i) {
    const SharedAccess &access = facts.accesses[i];
    offer(access.facts.range, {static_cast<int>(access.buffer), static_cast<int>(i)},
          !access.uncounted.empty());
  }
  for (size_t i = 0; i < facts.buffers.size(); ++i)
    offer(facts.buffers[i].range, {static_cast<int>(i), -1}, true);
  return best;
}

BufferChoice chooseBuffer(const SharedFacts &facts, const Focus &focus, int current) {
  BufferChoice best =
      chooseWhere(facts, current, [&](const SourceRange &range) { return isAt(range, focus); });
  if (best.buffer < 0)
    best = chooseWhere(facts, current,
                       [&](const SourceRange &range) { return isOnLine(range, focus); });
  const bool isRing =
      best.buffer >= 0 && std::ranges::find(facts.rings, static_cast<uint32_t>(best.buffer),
                                            &compiler::SharedRing::buffer) != facts.rings.end();
  if (best.access >= 0 &&
      (isRing || !facts.accesses[static_cast<size_t>(best.access)].uncounted.empty()))
    best.access = -1;
  return best;
}

int tellingAccess(const SharedFacts &facts, int buffer) {
  int best = -1;
  std::tuple<bool, bool, double> least;
  for (size_t i = 0; i < facts.accesses.size(); ++i) {
    const SharedAccess &access = facts.accesses[i];
    if (static_cast<int>(access.buffer) != buffer)
      continue;
    const compiler::AccessCounts &counts = access.facts.counts;
    const double share = counts.wavefronts == 0 ? 1
                                                : static_cast<double>(counts.minimumWavefronts) /
                                                      static_cast<double>(counts.wavefronts);
    const std::tuple rank(!access.uncounted.empty(), !access.isDrawn(), share);
    if (best < 0 || rank < least) {
      best = static_cast<int>(i);
      least = rank;
    }
  }
  return best;
}

} // namespace tilescope::views
