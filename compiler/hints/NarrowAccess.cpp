// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilescope::compiler {
namespace {

constexpr int32_t kWidest = 16;

/// Accesses that one argument keeps narrow.
struct Group {
  std::vector<const AccessFacts *> accesses;
  double traffic = 0;
};

} // namespace

/// What is known to be a multiple of 16 does not keep an access narrow: a constant beside it does,
/// as in a stencil, and no argument changes that.
static bool isKnownMultiple(const HintFacts &facts, const std::string &argument) {
  const auto type = facts.signature.find(argument);
  return type != facts.signature.end() && type->second.ends_with(":16");
}

static bool isNarrow(const HintFacts &facts, const AccessFacts &access) {
  const WidthReason reason = access.limit ? access.limit->reason : WidthReason::Widest;
  return movesBlock(access) && access.vectorBytes < kWidest &&
         !isKnownMultiple(facts, access.limit->argument) &&
         (reason == WidthReason::Divisibility || reason == WidthReason::Mask);
}

/// The launch passes a multiple of 16, and the kernel was not compiled for that.
static bool isSpecializationLost(const HintFacts &facts, const std::string &argument) {
  const auto type = facts.signature.find(argument);
  if (type == facts.signature.end() || isKnownMultiple(facts, argument))
    return false;
  const auto value = facts.integers.find(argument);
  return type->second.starts_with("*") ||
         (value != facts.integers.end() && value->second != 0 && value->second % kWidest == 0);
}

static std::string adviceFor(const HintFacts &facts, const AccessFacts &access) {
  const std::string &argument = access.limit->argument;
  if (argument.empty())
    return "say what the address is a multiple of, where that is so: `tl.multiple_of`";
  const std::string name = "`" + argument + "`";
  const auto type = facts.signature.find(argument);
  const std::string written = type == facts.signature.end() ? "" : type->second;
  if (isSpecializationLost(facts, argument))
    return "let " + name + " be specialized: its type `" + written +
           "` does not say that it is a multiple of 16";
  const auto value = facts.integers.find(argument);
  if (value == facts.integers.end())
    return "a multiple of 16 lets a lane move 16 bytes";
  const int64_t next = (value->second + kWidest - 1) / kWidest * kWidest;
  const std::string change = std::to_string(next) + " instead of " + std::to_string(value->second);
  return access.limit->reason == WidthReason::Mask
             ? "let the mask end at a multiple of 16 elements, " + change +
                   ", where what lies between does no harm"
             : "pad the rows: with " + name + " = " + change +
                   " each begins at a multiple of 16 elements";
}

/// 1 where the launch has what the kernel does not know, 2 where lanes get in each other's way.
static int32_t rankOf(const HintFacts &facts, const AccessFacts &access) {
  constexpr double kWasteful = 0.5;
  if (isSpecializationLost(facts, access.limit->argument))
    return 1;
  return usedShare(access) <= kWasteful || access.vectorBytes < 4 ? 2 : 3;
}

static FoundHint hintFor(const HintFacts &facts, const Group &group) {
  const AccessFacts &first = *group.accesses.front();
  std::vector<SourceRange> places;
  for (const AccessFacts *access : group.accesses)
    places.push_back(access->range);
  FoundHint hint;
  hint.kind = HintKind::NarrowAccess;
  hint.range = first.range;
  for (const AccessFacts *access : group.accesses)
    hint.rank = std::min(hint.rank, rankOf(facts, *access));
  hint.message = "a lane moves " + countText(first.vectorBytes, "byte") +
                 " at once: " + describe(*first.limit, first.elementBytes);
  hint.evidence.push_back("a request touches " +
                          numberText(double(first.counts.sectors) / double(first.counts.requests)) +
                          " sectors, of which it uses " + percentText(usedShare(first)));
  hint.evidence.push_back(percentText(group.traffic) + " of the kernel's traffic");
  if (const std::string others = otherLinesText(places); !others.empty())
    hint.evidence.push_back(others);
  hint.gain = "up to " + std::to_string(kWidest / first.vectorBytes) + " times fewer requests";
  hint.advice = adviceFor(facts, first);
  return hint;
}

void findNarrowAccess(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastTraffic = 0.1;
  std::map<std::pair<std::string, WidthReason>, Group> groups;
  for (const AccessFacts &access : facts.accesses)
    if (isNarrow(facts, access)) {
      Group &group = groups[{access.limit->argument, access.limit->reason}];
      group.accesses.push_back(&access);
      group.traffic += trafficShare(facts, access);
    }
  for (auto &[cause, group] : groups) {
    if (group.traffic < kLeastTraffic)
      continue;
    // The narrowest, then the most wasteful.
    std::ranges::stable_sort(group.accesses, {}, [](const AccessFacts *access) {
      return std::pair(access->vectorBytes, usedShare(*access));
    });
    hints.push_back(hintFor(facts, group));
  }
}

} // namespace tilescope::compiler
