// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SharedSteps.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace tilescope::compiler {

uint32_t stageLineOf(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place && place.getLine() > 0 ? place.getLine() - 1 : 0;
}

SharedSteps::SharedSteps(const Timeline &time, const StageSources &sources,
                         ArrayRef<SharedPlace> places) {
  std::set<int64_t> cuts;
  for (const SharedPlace &place : places) {
    cuts.insert(place.request.begin);
    cuts.insert(place.request.end);
  }
  for (const auto &[op, moment] : time) {
    // Each operation ends one behind the one before.
    const int64_t now = moment.end - 1;
    const SourceRange range = sources.of(op);
    // What no line is known of goes with what is before it.
    const bool isOtherLine = !m_steps.empty() && !range.empty() && !m_steps.back().range.empty() &&
                             (range.begin.line != m_steps.back().range.begin.line ||
                              range.file != m_steps.back().range.file);
    if (m_steps.empty() || cuts.contains(now) || isOtherLine) {
      m_steps.push_back({range, stageLineOf(op), false});
      m_begins.push_back(now);
    } else if (m_steps.back().range.empty()) {
      m_steps.back().range = range;
    }
    m_end = moment.end;
  }
}

uint32_t SharedSteps::at(int64_t moment) const {
  if (moment >= m_end)
    return static_cast<uint32_t>(m_steps.size());
  const auto behind = std::ranges::upper_bound(m_begins, moment);
  return static_cast<uint32_t>(std::max<int64_t>(behind - m_begins.begin() - 1, 0));
}

} // namespace tilescope::compiler
