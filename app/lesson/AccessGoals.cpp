// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/AccessGoals.h"

#include "app/lesson/GoalBounds.h"
#include "compiler/access/arrays/TouchWords.h"
#include "compiler/access/arrays/WaveTraffic.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

using compiler::AccessFacts;
using compiler::MemoryAction;

static bool isStore(MemoryAction action) {
  return action == MemoryAction::GlobalStore || action == MemoryAction::GlobalAtomic ||
         action == MemoryAction::GlobalReduction;
}

bool isMeant(const GoalAccesses &wanted, const AccessFacts &access) {
  using Direction = GoalAccesses::Direction;
  if (compiler::isShared(access.action))
    return false;
  if (!wanted.argument.empty() && access.argument != wanted.argument)
    return false;
  return wanted.direction == Direction::Any ||
         (wanted.direction == Direction::Store) == isStore(access.action);
}

std::string accessWords(const AccessFacts &access) {
  return fmt::format("the {} of `{}` in line {}", isStore(access.action) ? "store" : "load",
                     access.argument.empty() ? "memory" : access.argument,
                     access.range.begin.line + 1);
}

std::string withCommas(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

std::optional<SourceRange> ownPlace(const SourceRange &range) {
  return range.file == 0 ? std::optional(range) : std::nullopt;
}

static GoalState notCounted() {
  return {GoalVerdict::NotMet, "the accesses could not be counted", {}};
}

/// The access that is worst by a measure decides; `words` says its value.
template <typename Measure, typename Words>
static GoalState worstAccess(const Goal &goal, const LaunchOutcome &outcome, Measure measure,
                             Words words) {
  if (!outcome.memory)
    return notCounted();
  const AccessFacts *worst = nullptr;
  for (const AccessFacts &access : outcome.memory->accesses) {
    if (!isMeant(goal.accesses, access) || access.counts.requests == 0)
      continue;
    const bool isWorse = !worst || (goal.atMost ? measure(access) > measure(*worst)
                                                : measure(access) < measure(*worst));
    if (isWorse)
      worst = &access;
  }
  if (!worst)
    return {
        GoalVerdict::NotMet,
        goal.accesses.argument.empty()
            ? "the kernel accesses no memory"
            : fmt::format("the kernel does not access `{}` in this way", goal.accesses.argument),
        {}};
  GoalState state = withinBounds(goal, measure(*worst), words(*worst));
  state.place = ownPlace(worst->range);
  return state;
}

static double sectorsPerRequest(const AccessFacts &access) {
  return static_cast<double>(access.counts.sectors) / static_cast<double>(access.counts.requests);
}

GoalState checkSectorsPerRequest(const Goal &goal, const LaunchOutcome &outcome) {
  return worstAccess(goal, outcome, sectorsPerRequest, [](const AccessFacts &access) {
    return fmt::format("{} touches {:.3g} sectors a request", accessWords(access),
                       sectorsPerRequest(access));
  });
}

GoalState checkVectorBytes(const Goal &goal, const LaunchOutcome &outcome) {
  return worstAccess(
      goal, outcome, [](const AccessFacts &access) { return double(access.vectorBytes); },
      [](const AccessFacts &access) {
        return fmt::format("{} moves {} bytes a lane at once", accessWords(access),
                           access.vectorBytes);
      });
}

static double usedShare(const AccessFacts &access) {
  return static_cast<double>(access.counts.bytesUsed) /
         static_cast<double>(std::max<uint64_t>(access.counts.bytesFetched, 1));
}

GoalState checkBytesUsed(const Goal &goal, const LaunchOutcome &outcome) {
  return worstAccess(goal, outcome, usedShare, [](const AccessFacts &access) {
    return fmt::format("{} uses {:.3g} % of the sectors that it touches", accessWords(access),
                       100 * usedShare(access));
  });
}

GoalState checkBytesMoved(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return notCounted();
  uint64_t bytes = 0;
  for (const AccessFacts &access : outcome.memory->accesses)
    if (isMeant(goal.accesses, access))
      bytes += access.counts.bytesFetched;
  return withinBounds(goal, static_cast<double>(bytes),
                      fmt::format("{} bytes are moved", withCommas(bytes)));
}

GoalState checkWaveBytes(const Goal &goal, const LaunchOutcome &outcome) {
  namespace access = compiler::access;
  if (!outcome.touches || outcome.touches->isCut)
    return {GoalVerdict::NotMet, "what the programs read could not be traced", {}};
  const access::TouchedArrays arrays(*outcome.touches);
  const uint64_t programs =
      std::min(access::numPrograms(arrays.trace().grid), static_cast<uint64_t>(goal.programs));
  const auto traffic = access::waveTraffic(arrays, {0, programs});
  if (!traffic)
    return {GoalVerdict::NotMet, "what the programs read takes too long to count", {}};
  return withinBounds(goal, static_cast<double>(traffic->bytesDifferent),
                      access::waveText(*traffic));
}

GoalState checkSharedConflicts(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return notCounted();
  const compiler::AccessCounts total = outcome.memory->total(
      {MemoryAction::SharedLoad, MemoryAction::SharedStore, MemoryAction::MatrixLoad});
  // Those of conversions are among them.
  const uint64_t taken = total.wavefronts, least = total.minimumWavefronts;
  if (least == 0)
    return withinBounds(goal, 1, "the kernel does not access shared memory");
  return withinBounds(goal, static_cast<double>(taken) / static_cast<double>(least),
                      fmt::format("{} wavefronts in shared memory, {} would do", taken, least));
}

GoalState checkConversions(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return notCounted();
  int found = 0;
  std::optional<SourceRange> place;
  for (const compiler::ConversionFacts &each : outcome.memory->conversions) {
    if (goal.onlyInLoops && !each.isInLoop)
      continue;
    if (found++ == 0)
      place = ownPlace(each.range);
  }
  GoalState state = withinBounds(
      goal, found,
      fmt::format("{} layout conversion{}{}", found, found == 1 ? "" : "s",
                  goal.onlyInLoops ? found == 1 ? " inside a loop" : " inside loops" : ""));
  state.place = place;
  return state;
}

GoalState checkPipelined(const Goal &goal, const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return notCounted();
  int stages = 0;
  std::optional<SourceRange> place;
  for (const compiler::PipelineFacts &loop : outcome.memory->pipelines)
    if (loop.stages > stages) {
      stages = loop.stages;
      place = ownPlace(loop.range);
    }
  GoalState state = withinBounds(
      goal, stages,
      stages == 0 ? std::string("no loop is pipelined")
                  : fmt::format("a loop is pipelined through a ring of {} slots", stages));
  state.place = place;
  return state;
}

} // namespace tilescope::app
