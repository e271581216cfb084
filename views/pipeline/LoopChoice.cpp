// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/pipeline/LoopChoice.h"

#include "views/common/FocusMatch.h"

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::LoopFacts;
using compiler::LoopOperation;
using Loops = std::vector<LoopFacts>;

/// What an expression is about: its product, else its copy, and only then what prepares them.
static int rankOf(const LoopFacts &loop, int operation) {
  if (operation < 0)
    return 4;
  const compiler::LoopAction action = loop.operations[static_cast<size_t>(operation)].action;
  if (action == compiler::LoopAction::Product)
    return 0;
  if (compiler::isCopy(action))
    return 1;
  return action == compiler::LoopAction::Load || action == compiler::LoopAction::Store ? 2 : 3;
}

static LoopChoice chooseWhere(const Loops &loops, int current, auto fits) {
  LoopChoice best;
  // The least is the best.
  std::tuple<int64_t, bool, int> least;
  const auto offer = [&](const SourceRange &range, LoopChoice offered) {
    if (range.file != 0 || range.empty() || !fits(range))
      return;
    const std::tuple rank(extentOf(range), offered.loop != current,
                          rankOf(loops[static_cast<size_t>(offered.loop)], offered.operation));
    if (best.loop < 0 || rank < least) {
      best = offered;
      least = rank;
    }
  };
  for (size_t i = 0; i < loops.size(); ++i) {
    const int loop = static_cast<int>(i);
    offer(loops[i].range, {loop, -1});
    for (const compiler::LoopPartition &partition : loops[i].partitions)
      offer(partition.range, {loop, -1});
    for (size_t j = 0; j < loops[i].operations.size(); ++j)
      offer(loops[i].operations[j].range, {loop, static_cast<int>(j)});
  }
  return best;
}

/// Of lines between a loop's first and last operation: the loop with the fewest of them.
static LoopChoice chooseAround(const Loops &loops, const Focus &focus) {
  LoopChoice best;
  uint32_t least = UINT32_MAX;
  for (const SourceRange &place : focus.sources)
    for (size_t i = 0; i < loops.size() && place.file == 0; ++i) {
      uint32_t first = loops[i].range.begin.line, last = loops[i].range.end.line;
      for (const LoopOperation &operation : loops[i].operations)
        if (operation.range.file == 0 && operation.range.begin.line > first)
          last = std::max(last, operation.range.end.line);
      if (loops[i].range.empty() || place.begin.line < first || place.begin.line > last ||
          last - first >= least)
        continue;
      least = last - first;
      best = {static_cast<int>(i), -1};
    }
  return best;
}

LoopChoice chooseLoop(const Loops &loops, const Focus &focus, int current) {
  LoopChoice best =
      chooseWhere(loops, current, [&](const SourceRange &range) { return isAt(range, focus); });
  if (best.loop < 0)
    best = chooseWhere(loops, current,
                       [&](const SourceRange &range) { return isOnLine(range, focus); });
  return best.loop < 0 ? chooseAround(loops, focus) : best;
}

int tellingLoop(const Loops &loops) {
  const auto found = std::ranges::find_if(loops, &LoopFacts::isPipelined);
  if (found != loops.end())
    return static_cast<int>(found - loops.begin());
  return loops.empty() ? -1 : 0;
}

} // namespace tilescope::views
