// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/Answer.h"

#include "app/lesson/AccessGoals.h"
#include "app/lesson/HeldElements.h"
#include "app/lesson/OccupancyAnswers.h"
#include "compiler/access/arrays/TouchWords.h"
#include "compiler/access/picture/AccessWords.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using compiler::AccessFacts;

static Error noAnswer(std::string why) { return {ErrorCode::InvalidInput, std::move(why), ""}; }

static std::string numberText(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15
             ? withCommas(static_cast<uint64_t>(value))
             : fmt::format("{:.3g}", value);
}

static Answer oneNumber(double value, std::string explanation,
                        std::optional<SourceRange> place = std::nullopt) {
  return {{{value}}, numberText(value), std::move(explanation), place};
}

static Result<Answer> answerPrograms(const Question &, const LaunchOutcome &outcome) {
  const auto &grid = outcome.grid;
  const int64_t programs = grid[0] * grid[1] * grid[2];
  return oneNumber(static_cast<double>(programs),
                   grid[1] * grid[2] == 1
                       ? fmt::format("The grid has one dimension of {} programs.", grid[0])
                       : fmt::format("The grid is {}: {} programs.",
                                     grid[2] == 1
                                         ? fmt::format("{} × {}", grid[0], grid[1])
                                         : fmt::format("{} × {} × {}", grid[0], grid[1], grid[2]),
                                     programs));
}

/// "1 element", "2,048 elements".
static std::string elementsText(uint64_t count) {
  return count == 1 ? "1 element" : withCommas(count) + " elements";
}

/// The same digits as in the evidence of goals: "12.5 %".
static std::string shareText(uint64_t part, uint64_t whole) {
  return fmt::format("{:.3g} %", 100 * static_cast<double>(part) /
                                     static_cast<double>(std::max<uint64_t>(whole, 1)));
}

/// The access that a question is about: the one that is worst by a measure, as for goals.
static Result<const AccessFacts *> meantAccess(const Question &question,
                                               const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return noAnswer("the accesses could not be counted");
  for (const AccessFacts &each : outcome.memory->accesses)
    if (isMeant(question.accesses, each) && each.counts.requests > 0)
      return &each;
  return noAnswer(
      fmt::format("the kernel does not access `{}` in this way", question.accesses.argument));
}

static Result<Answer> answerSectorsOfRequest(const Question &question,
                                             const LaunchOutcome &outcome) {
  const Result<const AccessFacts *> found = meantAccess(question, outcome);
  if (!found)
    return found.error();
  const compiler::AccessCounts &counts = (*found)->counts;
  const auto requests = static_cast<double>(counts.requests);
  const double sectors = static_cast<double>(counts.sectors) / requests;
  return oneNumber(
      sectors,
      fmt::format(
          "A request of {} is for {:.4g} bytes and touches {:.3g} sectors of 32 bytes: it uses "
          "{} of them.",
          accessWords(**found), static_cast<double>(counts.bytesUsed) / requests, sectors,
          shareText(counts.bytesUsed, counts.bytesFetched)),
      ownPlace((*found)->range));
}

static Result<Answer> answerBytesOfLane(const Question &question, const LaunchOutcome &outcome) {
  const Result<const AccessFacts *> found = meantAccess(question, outcome);
  if (!found)
    return found.error();
  const AccessFacts &facts = **found;
  std::string why;
  if (facts.limit && facts.limit->reason != compiler::WidthReason::Widest)
    why = fmt::format(" It is not wider because {}.",
                      compiler::describe(*facts.limit, facts.elementBytes));
  return oneNumber(
      facts.vectorBytes,
      fmt::format(
          "In {}, a lane moves {} bytes with one instruction: {} of {} bytes.{}",
          accessWords(facts), facts.vectorBytes,
          elementsText(static_cast<uint64_t>(facts.vectorBytes / std::max(facts.elementBytes, 1))),
          facts.elementBytes, why),
      ownPlace(facts.range));
}

static Result<Answer> answerBytesOfLaunch(const Question &question, const LaunchOutcome &outcome) {
  const Result<const AccessFacts *> first = meantAccess(question, outcome);
  if (!first)
    return first.error();
  uint64_t bytes = 0, used = 0;
  for (const AccessFacts &each : outcome.memory->accesses)
    if (isMeant(question.accesses, each)) {
      bytes += each.counts.bytesFetched;
      used += each.counts.bytesUsed;
    }
  return oneNumber(
      static_cast<double>(bytes),
      fmt::format("All {} programs together move {} bytes in sectors of 32; they use {} "
                  "of them.",
                  withCommas(outcome.memory->programs), withCommas(bytes), shareText(used, bytes)),
      ownPlace((*first)->range));
}

static Result<Answer> answerWavefronts(const Question &, const LaunchOutcome &outcome) {
  if (!outcome.memory)
    return noAnswer("the accesses could not be counted");
  using compiler::MemoryAction;
  const compiler::AccessCounts total = outcome.memory->total(
      {MemoryAction::SharedLoad, MemoryAction::SharedStore, MemoryAction::MatrixLoad});
  // Those of conversions are among them.
  const uint64_t taken = total.wavefronts, least = total.minimumWavefronts;
  std::optional<SourceRange> place;
  for (const compiler::ConversionFacts &each : outcome.memory->conversions)
    if (!place && each.wavefronts > 0)
      place = ownPlace(each.range);
  const uint64_t programs = std::max<uint64_t>(outcome.memory->programs, 1);
  const double each = static_cast<double>(taken) / static_cast<double>(programs);
  return oneNumber(each,
                   taken == 0 ? std::string("The kernel does not access shared memory.")
                              : fmt::format("A program takes {} wavefronts of 128 bytes in shared "
                                            "memory; without conflicts {} would do.",
                                            numberText(each),
                                            numberText(static_cast<double>(least) /
                                                       static_cast<double>(programs))),
                   place);
}

/// The arrays that the asked program touches, and the one that is meant.
static Result<Answer> answerTouches(const Question &question, const LaunchOutcome &outcome,
                                    bool asksFirst) {
  if (!outcome.touches || outcome.touches->isCut)
    return noAnswer("what the program touches could not be traced");
  const access::TouchedArrays arrays(*outcome.touches);
  const uint64_t program = outcome.touches->programs.first;
  const auto kind = question.accesses.direction == GoalAccesses::Direction::Store
                        ? access::TouchKind::Written
                        : access::TouchKind::Read;
  for (size_t array = 0; array < arrays.numArrays(); ++array) {
    if (arrays.argument(array).name != question.accesses.argument)
      continue;
    const uint64_t count = access::numTouched(arrays, array, program, kind, {});
    if (count == 0)
      break;
    const std::string words =
        fmt::format("Program {} {} of `{}`: {}.", access::programText(program, arrays.trace().grid),
                    access::touchText(arrays, array, program, {}), question.accesses.argument,
                    elementsText(count));
    if (!asksFirst)
      return oneNumber(static_cast<double>(count), words);
    int64_t first = INT64_MAX;
    for (const access::TouchedBox &touched : arrays.boxes(array, program, {})) {
      const compiler::TouchAccess &by = arrays.access(touched.access);
      if (kind == access::TouchKind::Read ? by.reads : by.writes)
        first = std::min(first, access::numberOf(arrays.shape(array),
                                                 {touched.box.first[0], touched.box.first[1],
                                                  touched.box.first[2]}));
    }
    const std::vector<int64_t> index =
        access::indexOf(arrays.shape(array), access::elementAt(arrays.shape(array), first));
    return Answer{{AnswerNumbers(index.begin(), index.end())}, access::indexText(index), words, {}};
  }
  return noAnswer(fmt::format(
      "program {} does not {} `{}`", access::programText(program, outcome.touches->grid),
      kind == access::TouchKind::Read ? "read" : "write", question.accesses.argument));
}

static Result<Answer> answerFirstElement(const Question &question, const LaunchOutcome &outcome) {
  return answerTouches(question, outcome, true);
}
static Result<Answer> answerElementsTouched(const Question &question,
                                            const LaunchOutcome &outcome) {
  return answerTouches(question, outcome, false);
}

Result<HeldBlock> meantBlock(const Question &question, const LaunchOutcome &outcome) {
  const Result<const AccessFacts *> access = meantAccess(question, outcome);
  if (!access)
    return access.error();
  // The place of a value may be that of its name: the line is what both have.
  const SourceRange &place = (*access)->range;
  for (const compiler::LayoutFacts &each : outcome.layouts)
    if (each.op == "tt.load" && !each.shared && each.source.file == place.file &&
        each.source.begin.line == place.begin.line)
      return HeldBlock(each);
  return noAnswer(fmt::format("{} loads a single number", accessWords(**access)));
}

static Result<Answer> answerHolder(const Question &question, const LaunchOutcome &outcome) {
  const Result<HeldBlock> block = meantBlock(question, outcome);
  if (!block)
    return block.error();
  if (!block->contains(question.element))
    return noAnswer(fmt::format("the block has the shape {}, without an element {}",
                                access::indexText(block->facts().shape),
                                access::indexText(question.element)));
  Answer answer;
  const std::vector<HeldPlace> holders = block->holdersOf(question.element);
  for (const HeldPlace &each : holders)
    answer.right.push_back({static_cast<double>(question.part == "warp"       ? each.warp
                                                : question.part == "register" ? each.reg
                                                                              : each.lane)});
  const HeldPlace &first = holders.front();
  answer.text = numberText(answer.right.front().front());
  answer.explanation = fmt::format(
      "Element {} is in register {} of lane {} of warp {}{}. {}",
      access::indexText(question.element), first.reg, first.lane, first.warp,
      holders.size() > 1 ? fmt::format(", and in {} other places", holders.size() - 1) : "",
      block->words());
  answer.place = ownPlace(block->facts().source);
  return answer;
}

static Result<Answer> answerHeldElement(const Question &question, const LaunchOutcome &outcome) {
  const Result<HeldBlock> block = meantBlock(question, outcome);
  if (!block)
    return block.error();
  const std::optional<std::vector<int64_t>> element =
      block->elementAt({question.reg, question.lane, question.warp});
  if (!element)
    return noAnswer(fmt::format("the block has no register {} of lane {} of warp {}", question.reg,
                                question.lane, question.warp));
  return Answer{{AnswerNumbers(element->begin(), element->end())},
                access::indexText(*element),
                fmt::format("Register {} of lane {} of warp {} holds element {}. {}", question.reg,
                            question.lane, question.warp, access::indexText(*element),
                            block->words()),
                ownPlace(block->facts().source)};
}

Result<Answer> answerTo(const Question &question, const LaunchOutcome &outcome) {
  if (!outcome.failure.empty())
    return noAnswer(outcome.failure);
  if (!outcome.isCompiled)
    return noAnswer(compileFault(outcome));
  using Function = Result<Answer> (*)(const Question &, const LaunchOutcome &);
  static constexpr std::array kAnswers = {
#define TILESCOPE_QUESTION(name, id, form, needs, view) Function(answer##name),
#include "app/lesson/QuestionKinds.def"
#undef TILESCOPE_QUESTION
  };
  return kAnswers[static_cast<size_t>(question.kind)](question, outcome);
}

static std::optional<double> parseNumber(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits),
                       [](char c) { return c != ' ' && c != ','; });
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() ||
      !std::isfinite(value))
    return std::nullopt;
  return value;
}

static std::optional<AnswerNumbers> parseIndex(std::string_view text) {
  constexpr std::string_view kBetween = " ,[]()";
  AnswerNumbers numbers;
  for (size_t begin = text.find_first_not_of(kBetween); begin != text.npos;) {
    const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    const std::optional<double> number = parseNumber(text.substr(begin, end - begin));
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
    begin = text.find_first_not_of(kBetween, end);
  }
  const size_t last = text.find_last_not_of(" [])");
  const bool isOpen = last != text.npos && text[last] == ',';
  return numbers.empty() || isOpen ? std::nullopt : std::optional(std::move(numbers));
}

Result<AnswerNumbers> parseAnswer(const Question &question, std::string_view text) {
  switch (questionKindFacts(question.kind).form) {
  case AnswerForm::Number:
    if (const std::optional<double> number = parseNumber(text))
      return AnswerNumbers{*number};
    return noAnswer("type a number, such as 16");
  case AnswerForm::Index:
    if (std::optional<AnswerNumbers> index = parseIndex(text))
      return std::move(*index);
    return noAnswer("type an index, such as 64 or [64, 0]");
  case AnswerForm::Line: {
    constexpr std::string_view kLine = "line ";
    const std::optional<double> number =
        parseNumber(text.starts_with(kLine) ? text.substr(kLine.size()) : text);
    if (number && *number >= 0 && *number == std::floor(*number))
      return AnswerNumbers{*number};
    return noAnswer("type the number of a line, such as 27, or 0 for none");
  }
  case AnswerForm::Limiter:
    break;
  }
  const auto &names = occupancyLimiters();
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    return noAnswer(fmt::format("choose one of {}", fmt::join(names, ", ")));
  return AnswerNumbers{static_cast<double>(found - names.begin())};
}

bool isRight(const Answer &answer, const AnswerNumbers &given) {
  const double tolerance = answer.isExact ? 0 : 0.01;
  return std::ranges::any_of(answer.right, [&](const AnswerNumbers &right) {
    return std::ranges::equal(right, given, [&](double a, double b) {
      return std::abs(a - b) <= tolerance * std::abs(a);
    });
  });
}

} // namespace tilescope::app
