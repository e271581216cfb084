// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintFacts.h"

#include <algorithm>

namespace tilescope::compiler {

static double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

bool movesBlock(const AccessFacts &access) {
  const bool isMove = access.action == MemoryAction::GlobalLoad ||
                      access.action == MemoryAction::GlobalStore ||
                      access.action == MemoryAction::AsyncCopy;
  return isMove && access.limit && access.limit->reason != WidthReason::Scalar &&
         access.counts.requests > 0;
}

double usedShare(const AccessFacts &access) {
  return ratio(access.counts.bytesUsed, access.counts.bytesFetched);
}

uint64_t bytesFetched(const HintFacts &facts) {
  uint64_t bytes = 0;
  for (const AccessFacts &access : facts.accesses)
    if (!isShared(access.action))
      bytes += access.counts.bytesFetched;
  return bytes;
}

double trafficShare(const HintFacts &facts, const AccessFacts &access) {
  return ratio(access.counts.bytesFetched, bytesFetched(facts));
}

double executionsPerProgram(const HintFacts &facts, const SourceRange &range) {
  uint64_t most = 0;
  for (const AccessFacts &access : facts.accesses)
    if (access.range == range)
      most = std::max(most, access.executions);
  return ratio(most, facts.memory.programs);
}

double bytesPerExecution(const AccessFacts &access) {
  return ratio(access.counts.bytesAsked, access.executions);
}

bool isQuickRun(const HintFacts &facts) {
  // A GPU moves so much in about the time in which it starts a kernel.
  constexpr uint64_t kFewBytes = uint64_t{16} << 20;
  return bytesFetched(facts) < kFewBytes;
}

const AccessFacts *accessAt(const HintFacts &facts, const SourceRange &range) {
  const auto found = std::ranges::find_if(facts.accesses, [&](const AccessFacts &access) {
    return access.range == range && movesBlock(access);
  });
  return found == facts.accesses.end() ? nullptr : &*found;
}

} // namespace tilescope::compiler
