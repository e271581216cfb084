// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/OccupancyAnswers.h"

#include "app/lesson/AccessGoals.h"
#include "compiler/access/picture/AccessWords.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

static Error noAnswer(std::string why) { return {ErrorCode::InvalidInput, std::move(why), ""}; }

static Error withoutAssembler() {
  return {ErrorCode::Environment, "occupancy needs `ptxas`, which is missing here", ""};
}

/// "warps would allow 16 programs, registers 2, shared memory 5".
static std::string limitsText(const profiler::Occupancy &occupancy) {
  std::string text;
  for (size_t i = 0; i < occupancyLimiters().size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ",
                        i == 0 ? occupancyLimiters()[i] + " allow" : occupancyLimiters()[i],
                        occupancy.blocksByLimit[i]);
  return text;
}

static std::string occupancyText(const LaunchOutcome &outcome) {
  const profiler::Occupancy &found = *outcome.occupancy;
  return fmt::format(
      "A multiprocessor holds {} of these programs, {} of {} warps, with {} registers "
      "a thread and {} bytes of shared memory: {}.",
      found.blocksPerSm, found.warpsPerSm, found.maxWarpsPerSm, outcome.resources.registers,
      withCommas(static_cast<uint64_t>(std::max<int64_t>(outcome.resources.sharedBytes, 0))),
      limitsText(found));
}

Result<Answer> answerLimiter(const Question &, const LaunchOutcome &outcome) {
  if (!outcome.occupancy)
    return withoutAssembler();
  const std::string &limiter = outcome.occupancy->limiter;
  Answer answer{{}, limiter, occupancyText(outcome), {}};
  for (size_t i = 0; i < occupancyLimiters().size(); ++i)
    if (limiter.find(occupancyLimiters()[i]) != std::string::npos)
      answer.right.push_back({static_cast<double>(i)});
  return answer;
}

Result<Answer> answerProgramsAtOnce(const Question &, const LaunchOutcome &outcome) {
  if (!outcome.occupancy)
    return withoutAssembler();
  const int64_t programs = outcome.occupancy->blocksPerSm;
  return Answer{
      {{static_cast<double>(programs)}}, std::to_string(programs), occupancyText(outcome), {}};
}

static bool limits(const profiler::Occupancy &occupancy, std::string_view what) {
  return occupancy.limiter.find(what) != std::string::npos;
}

/// The line whose values take the most registers where the most are alive; the line of that instruction is
/// right, too.
static Result<Answer> lineOfRegisters(const RegisterPressure &pressure) {
  const std::optional<SourceRange> place =
      pressure.shares.empty() ? pressure.peak : pressure.shares.front().place;
  if (!place)
    return noAnswer("no line of the kernel is known for what the registers hold");
  const auto number = [](const SourceRange &range) { return range.begin.line + 1; };
  std::string words = fmt::format("In {}, {} registers of a thread are alive at once at the most",
                                  pressure.stage, pressure.registers);
  if (pressure.peak)
    words += fmt::format(", at an instruction of line {}", number(*pressure.peak));
  if (!pressure.shares.empty())
    words += fmt::format("; {} of them hold what line {} computes",
                         pressure.shares.front().registers, number(*place));
  Answer answer{{{static_cast<double>(number(*place))}},
                fmt::format("line {}", number(*place)),
                words + ".",
                place,
                true};
  if (pressure.peak && number(*pressure.peak) != number(*place))
    answer.right.push_back({static_cast<double>(number(*pressure.peak))});
  return answer;
}

/// The line of the largest buffer in shared memory.
static Result<Answer> lineOfShared(const compiler::SharedFacts &shared) {
  const compiler::SharedBuffer *largest = nullptr;
  for (const compiler::SharedBuffer &each : shared.buffers)
    if (ownPlace(each.range) && (!largest || each.bytes > largest->bytes))
      largest = &each;
  if (!largest)
    return noAnswer("no line of the kernel is known for what is in shared memory");
  const uint32_t line = largest->range.begin.line + 1;
  return Answer{{{static_cast<double>(line)}},
                fmt::format("line {}", line),
                fmt::format("Line {} needs {} of {} bytes of shared memory: {}.", line,
                            withCommas(static_cast<uint64_t>(largest->bytes)),
                            withCommas(static_cast<uint64_t>(std::max<int64_t>(shared.total, 0))),
                            largest->words),
                ownPlace(largest->range),
                true};
}

Result<Answer> answerLimitingLine(const Question &, const LaunchOutcome &outcome) {
  if (!outcome.occupancy)
    return withoutAssembler();
  const profiler::Occupancy &occupancy = *outcome.occupancy;
  Result<Answer> answer = noAnswer("what limits occupancy could not be found out");
  if (limits(occupancy, "registers") && outcome.pressure)
    answer = lineOfRegisters(*outcome.pressure);
  else if (limits(occupancy, "shared memory") && outcome.shared)
    answer = lineOfShared(*outcome.shared);
  else if (!limits(occupancy, "registers") && !limits(occupancy, "shared memory"))
    answer = Answer{{{0}}, "0", "No line does.", {}, true};
  if (!answer)
    return answer;
  answer->explanation =
      fmt::format("Occupancy is limited by {}. {}", occupancy.limiter, answer->explanation);
  // Either is right where both limit.
  if (limits(occupancy, "registers") && limits(occupancy, "shared memory") && outcome.shared)
    if (const Result<Answer> other = lineOfShared(*outcome.shared))
      answer->right.push_back(other->right.front());
  return answer;
}

} // namespace tilescope::app
