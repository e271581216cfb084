// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"
#include "compiler/hints/ProgramSchedule.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tilescope::compiler {
namespace {

/// Ends of the launch: in the order of the grid, with equal work, and with the longest first.
struct Ends {
  double now = 0, equal = 0, longestFirst = 0;
};

} // namespace

static Ends endsOf(std::vector<double> work, double mean, size_t places) {
  Ends ends;
  ends.now = endOf(work, places);
  ends.equal = endOf(std::vector<double>(work.size(), mean), places);
  std::ranges::sort(work, std::greater());
  ends.longestFirst = endOf(work, places);
  return ends;
}

static std::string adviceFor(const Ends &ends) {
  constexpr double kWorthwhile = 0.9;
  return ends.longestFirst < kWorthwhile * ends.now
             ? "begin with the longest: let programs count from the end, "
               "`tl.num_programs(0) - 1 - tl.program_id(0)`"
             : "divide the longest programs, or let programs fetch their next piece of work by an "
               "atomic counter";
}

void findUnevenWork(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kUneven = 1.5, kLate = 1.25;
  std::vector<double> work;
  for (const ProgramFacts &program : facts.kernel.programs)
    work.push_back(double(program.bytes));
  if (!facts.device || facts.device->blocks == 0 || work.size() < 2 || isQuickRun(facts))
    return;
  const double mean = std::accumulate(work.begin(), work.end(), 0.0) / double(work.size());
  const auto longest = std::ranges::max_element(work);
  if (*longest < kUneven * mean)
    return;
  const Ends ends = endsOf(work, mean, facts.device->atOnce());
  if (ends.now < kLate * ends.equal)
    return;
  FoundHint hint;
  hint.kind = HintKind::UnevenWork;
  hint.range = facts.kernel.kernel;
  hint.message = "the longest program accesses " + numberText(*longest / mean) +
                 " times as much as the mean one";
  hint.evidence.push_back("number " + std::to_string(longest - work.begin()) + " of " +
                          std::to_string(work.size()) + ": " +
                          bytesText(static_cast<uint64_t>(*longest)) + ", the mean " +
                          bytesText(static_cast<uint64_t>(mean)));
  hint.evidence.push_back("on " + facts.device->name + " with " +
                          std::to_string(facts.device->atOnce()) +
                          " programs at once, the last one ends " +
                          numberText(ends.now / ends.equal) + " times as late as with equal work");
  hint.gain = "up to " + percentText(1 - ends.equal / ends.now) +
              " of the time, as far as accesses "
              "determine it";
  hint.advice = adviceFor(ends);
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
