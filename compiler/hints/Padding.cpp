// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/Padding.h"

#include <algorithm>

namespace tilescope::compiler {

static constexpr int32_t kWidest = 16;

/// What is known to be a multiple of 16 does not keep an access narrow: a constant beside it does,
/// as in a stencil, and no argument changes that.
static bool isKnownMultiple(const HintFacts &facts, const std::string &argument) {
  const auto type = facts.signature.find(argument);
  return type != facts.signature.end() && type->second.ends_with(":16");
}

bool isNarrow(const HintFacts &facts, const AccessFacts &access) {
  const WidthReason reason = access.limit ? access.limit->reason : WidthReason::Widest;
  return movesBlock(access) && access.vectorBytes < kWidest &&
         !isKnownMultiple(facts, access.limit->argument) &&
         (reason == WidthReason::Divisibility || reason == WidthReason::Mask);
}

bool isSpecializationLost(const HintFacts &facts, const std::string &argument) {
  const auto type = facts.signature.find(argument);
  if (type == facts.signature.end() || isKnownMultiple(facts, argument))
    return false;
  const auto value = facts.integers.find(argument);
  return type->second.starts_with("*") ||
         (value != facts.integers.end() && value->second != 0 && value->second % kWidest == 0);
}

std::optional<PaddedArgument> paddedArgument(const HintFacts &facts, const AccessFacts &access) {
  PaddedArgument padded;
  padded.name = access.limit->argument;
  padded.endsMask = access.limit->reason == WidthReason::Mask;
  if (const auto type = facts.signature.find(padded.name); type != facts.signature.end())
    padded.type = type->second;
  const auto value = facts.integers.find(padded.name);
  if (value != facts.integers.end())
    padded.from = value->second;
  padded.to = (padded.from + kWidest - 1) / kWidest * kWidest;
  // Of what else there is, such as a constexpr, another value is not known to be possible.
  if (!isSpecializationLost(facts, padded.name) && (padded.from <= 0 || !padded.changes()))
    return std::nullopt;
  return padded;
}

static bool isOf(const Padding &padding, const AccessFacts &access) {
  return std::ranges::find(padding.places, access.range) != padding.places.end();
}

std::optional<PaddedArgument> nextPadding(const HintFacts &changed, const Padding &padding) {
  for (const bool ofPlaces : {true, false})
    for (const AccessFacts &access : changed.accesses) {
      if (isOf(padding, access) != ofPlaces || !isNarrow(changed, access))
        continue;
      std::optional<PaddedArgument> padded = paddedArgument(changed, access);
      if (padded && std::ranges::find(padding.arguments, padded->name, &PaddedArgument::name) ==
                        padding.arguments.end())
        return padded;
    }
  return std::nullopt;
}

namespace {
/// Of accesses to global memory, and of what conversions move through shared memory.
struct Costs {
  AccessCounts places, all;
  uint64_t conversions = 0;
};
} // namespace

static Costs costsOf(const HintFacts &facts, const Padding &padding) {
  Costs costs;
  for (const AccessFacts &access : facts.accesses) {
    if (isShared(access.action))
      continue;
    costs.all += access.counts;
    if (isOf(padding, access))
      costs.places += access.counts;
  }
  for (const ConversionFacts &conversion : facts.memory.conversions)
    costs.conversions += conversion.wavefronts;
  return costs;
}

/// Whether `after` is at most `share` of `before`, for as much work: the padding is moved, too.
static bool isAtMost(double share, uint64_t after, uint64_t before, const Costs &changed,
                     const Costs &old) {
  return double(after) * double(old.all.bytesAsked) <=
         share * double(before) * double(changed.all.bytesAsked);
}

std::optional<std::string> paddingGain(const HintFacts &before, const HintFacts &after,
                                       const Padding &padding) {
  constexpr double kLess = 0.8, kAsMuch = 1.02;
  const Costs old = costsOf(before, padding), changed = costsOf(after, padding);
  const auto is = [&](double share, uint64_t AccessCounts::*count, AccessCounts Costs::*of) {
    return isAtMost(share, (changed.*of).*count, (old.*of).*count, changed, old);
  };
  const bool isNoWorse = is(kAsMuch, &AccessCounts::requests, &Costs::all) &&
                         is(kAsMuch, &AccessCounts::sectors, &Costs::all) &&
                         changed.conversions <= old.conversions;
  const bool isBetter = is(kLess, &AccessCounts::requests, &Costs::places) ||
                        is(kLess, &AccessCounts::sectors, &Costs::places);
  if (!isNoWorse || !isBetter)
    return std::nullopt;
  const auto change = [](const char *what, uint64_t from, uint64_t to) {
    return what + std::to_string(from) + " → " + std::to_string(to);
  };
  return change("requests ", old.places.requests, changed.places.requests) +
         change(", sectors ", old.places.sectors, changed.places.sectors) +
         ", counted with this change";
}

/// `a`, `b` and `c`.
static std::string listed(const std::vector<std::string> &parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

/// `n` = 512 instead of 500.
static std::string numberAdvice(const PaddedArgument &argument) {
  const std::string name = "`" + argument.name + "`";
  const std::string to = std::to_string(argument.to), from = std::to_string(argument.from);
  if (!argument.computed)
    return name + " = " + to + " instead of " + from;
  const std::string who = argument.computed->file == 0
                              ? "line " + std::to_string(argument.computed->begin.line + 1)
                              : "the kernel";
  return "an argument of its own, " + to + ", in place of " + name + " = " + from + ", as " + who +
         " computes with " + name + ", too";
}

std::string paddingAdvice(const Padding &padding) {
  std::vector<std::string> types, rows, ends, advice;
  for (const PaddedArgument &argument : padding.arguments) {
    const std::string name = "`" + argument.name + "`";
    if (!argument.changes())
      types.push_back("let " + name + " be specialized: its type `" + argument.type +
                      "` does not say that it is a multiple of 16");
    else
      (argument.endsMask ? ends : rows).push_back(numberAdvice(argument));
  }
  if (!types.empty())
    advice.push_back(listed(types));
  if (!rows.empty())
    advice.push_back("pad the rows, so that each begins at a multiple of 16 elements: " +
                     listed(rows));
  if (!ends.empty())
    advice.push_back("let the mask end at a multiple of 16 elements, where what lies between does "
                     "no harm: " +
                     listed(ends));
  std::string text;
  for (const std::string &each : advice)
    text += (text.empty() ? "" : "; and ") + each;
  return padding.arguments.size() > 1
             ? text + "; `" + padding.arguments.front().name + "` alone does not help"
             : text;
}

} // namespace tilescope::compiler
