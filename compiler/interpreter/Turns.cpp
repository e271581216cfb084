// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Turns.h"

#include "compiler/interpreter/Frame.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

/// Of all programs together, and of each one.
static constexpr uint64_t kMostTurnsOfAll = 1 << 20;
static constexpr uint64_t kFewestTurns = 4;
static constexpr uint64_t kMostTurns = 64;

uint32_t turnsOfEach(uint64_t numPrograms) {
  const uint64_t share = kMostTurnsOfAll / std::max<uint64_t>(numPrograms, 1);
  return static_cast<uint32_t>(std::clamp(share, kFewestTurns, kMostTurns));
}

/// One of those for which `cost` is least.
template <typename F>
static ParkedPrograms::iterator drawOfLeast(ParkedPrograms &parked, std::mt19937 &random, F cost) {
  auto chosen = parked.begin();
  uint64_t least = UINT64_MAX;
  size_t numEqual = 0;
  for (auto each = parked.begin(); each != parked.end(); ++each) {
    const uint64_t its = cost(*each->second);
    if (its > least)
      continue;
    numEqual = its < least ? 1 : numEqual + 1;
    least = its;
    if (random() % numEqual == 0)
      chosen = each;
  }
  return chosen;
}

static ParkedPrograms::iterator draw(ParkedPrograms &parked, Turns turns, uint64_t numChanges,
                                     std::mt19937 &random) {
  switch (turns) {
  case Turns::Eager:
    return drawOfLeast(parked, random, [numChanges](const Frame &frame) -> uint64_t {
      return frame.gaveWay() ? 1 : frame.lookedAt < numChanges ? 0 : 2;
    });
  case Turns::Rounds:
    return drawOfLeast(parked, random, [](const Frame &frame) { return frame.numTurns; });
  case Turns::Random:
    break;
  }
  return std::next(parked.begin(), static_cast<ptrdiff_t>(random() % parked.size()));
}

ParkedPrograms::iterator drawTurn(ParkedPrograms &parked, Turns turns, uint64_t numChanges,
                                  std::mt19937 &random) {
  const auto drawn = draw(parked, turns, numChanges, random);
  ++drawn->second->numTurns;
  drawn->second->lookedAt = numChanges;
  return drawn;
}

} // namespace tilescope::compiler::interpreter
