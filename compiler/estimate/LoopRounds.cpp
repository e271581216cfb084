// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/LoopRounds.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tilescope::compiler::estimate {

using std::string_view;

namespace {
/// `IADD3 R0, R0, -0x8, RZ`, `add.s32 %r5, %r5, -8`.
struct CounterStep {
  string_view counter;
  int64_t step = 0;
};
} // namespace

/// Of 32 bits, decimal or hexadecimal; nothing: it is no number.
static std::optional<int64_t> numberIn(string_view text) {
  const bool isNegative = text.starts_with('-');
  text.remove_prefix(isNegative ? 1 : 0);
  const bool isHex = text.starts_with("0x");
  text.remove_prefix(isHex ? 2 : 0);
  uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, isHex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  const int64_t value = isHex ? static_cast<int32_t>(number) : static_cast<int64_t>(number);
  return isNegative ? -value : value;
}

/// The words of a line between the operation and `;`, and the operation in front of them.
static std::pair<string_view, std::vector<string_view>> partsOf(string_view line) {
  if (const size_t comment = line.find("*/"); comment != string_view::npos)
    line.remove_prefix(comment + 2);
  line = trimmed(line.substr(0, line.find(';')));
  if (line.starts_with('@'))
    line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  const size_t space = std::min(line.find_first_of(" \t"), line.size());
  const string_view operation = line.substr(0, space);
  std::vector<string_view> operands;
  for (string_view rest = line.substr(space); !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    string_view operand = trimmed(rest.substr(0, comma));
    if (operand.ends_with(".reuse"))
      operand.remove_suffix(string_view(".reuse").size());
    operands.push_back(operand);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return {operation, operands};
}

static std::optional<CounterStep> counterStep(string_view line) {
  static constexpr std::array<string_view, 5> kAdditions{"IADD3", "UIADD3", "VIADD", "add.s32",
                                                         "add.u32"};
  const auto [operation, operands] = partsOf(line);
  if (std::ranges::find(kAdditions, operation) == kAdditions.end() || operands.size() < 3 ||
      operands[0] != operands[1])
    return std::nullopt;
  if (operands.size() > 3 && operands[3] != "RZ" && operands[3] != "URZ")
    return std::nullopt;
  const std::optional<int64_t> step = numberIn(operands[2]);
  return step && *step != 0 ? std::optional(CounterStep{operands[0], std::abs(*step)})
                            : std::nullopt;
}

static bool compares(string_view line, string_view counter) {
  const auto [operation, operands] = partsOf(line);
  return (operation.starts_with("ISETP") || operation.starts_with("UISETP") ||
          operation.starts_with("setp.")) &&
         std::ranges::find(operands, counter) != operands.end();
}

LoopRounds::LoopRounds(const std::vector<LoopFacts> &loops, const Stage &code,
                       const machine::SassProgram &program, const CodeRegions &regions)
    : m_loops(loops), m_code(code), m_program(program), m_regions(regions),
      m_lines(splitLines(code.text)) {}

int64_t LoopRounds::lineOf(uint32_t instruction) const {
  const auto &lines = m_code.sourceMap.lines;
  const uint32_t line = m_program.instructions[instruction].line;
  const auto found = std::ranges::lower_bound(lines, line, {}, &LineMapping::line);
  if (found == lines.end() || found->line != line)
    return -1;
  const auto own = std::ranges::find(found->sources, 0u, &SourceRange::file);
  return own == found->sources.end() ? -1 : static_cast<int64_t>(own->begin.line);
}

bool LoopRounds::isOwn(const CodeRegion &loop, uint32_t instruction) const {
  // Of what branches lead past in it, too, but not of loops in it.
  for (int32_t at = m_regions.regionOf[instruction]; at >= 0;
       at = m_regions.regions[static_cast<size_t>(at)].parent) {
    const CodeRegion &region = m_regions.regions[static_cast<size_t>(at)];
    if (region.kind == CodeRegion::Kind::Loop)
      return region.begin == loop.begin && region.end == loop.end;
  }
  return false;
}

const LoopFacts *LoopRounds::sourceOf(const CodeRegion &loop) const {
  const LoopFacts *found = nullptr;
  size_t best = 0;
  for (const LoopFacts &each : m_loops) {
    size_t inside = 0;
    for (uint32_t i = loop.begin; i < loop.end; ++i)
      if (const int64_t line = isOwn(loop, i) ? lineOf(i) : -1;
          line > each.range.begin.line && line <= each.range.end.line)
        ++inside;
    const bool isInner = found && inside == best &&
                         each.range.end.line - each.range.begin.line <
                             found->range.end.line - found->range.begin.line;
    if (inside > best || (inside > 0 && isInner)) {
      best = inside;
      found = &each;
    }
  }
  return found;
}

int64_t LoopRounds::unrolledBy(const CodeRegion &loop, const LoopFacts &source) const {
  // What one line becomes is there as often as rounds are one.
  std::map<std::pair<string_view, int64_t>, int64_t> counts;
  std::vector<CounterStep> steps;
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    if (!isOwn(loop, i))
      continue;
    const machine::SassInstruction &instruction = m_program.instructions[i];
    const string_view text = instruction.line < m_lines.size() ? m_lines[instruction.line] : "";
    if (const std::optional<CounterStep> step = counterStep(text))
      steps.push_back(*step);
    static constexpr std::array<string_view, 7> kArithmetic{"FFMA",  "FADD", "FMUL", "MUFU",
                                                            "HFMA2", "DFMA", "HADD2"};
    if (std::ranges::find(kArithmetic, instruction.operation) != kArithmetic.end())
      ++counts[{instruction.operation, lineOf(i)}];
  }
  int64_t each = 0;
  for (const auto &[key, count] : counts)
    each = std::gcd(each, count);
  std::optional<int64_t> found;
  for (const CounterStep &step : steps) {
    bool isCounter = false;
    for (uint32_t i = loop.begin; i < loop.end; ++i)
      isCounter |=
          isOwn(loop, i) && compares(m_lines[m_program.instructions[i].line], step.counter);
    if (!isCounter)
      continue;
    // Of rounds that are left, or of the source's counter.
    const bool ofRounds = each % step.step == 0, ofCounter = source.step > 1 &&
                                                             step.step % source.step == 0 &&
                                                             each % (step.step / source.step) == 0;
    if (ofRounds && ofCounter)
      return 0;
    const int64_t rounds = ofRounds ? step.step : ofCounter ? step.step / source.step : 0;
    if (rounds > 0 && (!found || *found < rounds))
      found = rounds;
  }
  return found.value_or(0);
}

std::optional<double> LoopRounds::of(const CodeRegion &loop) const {
  const LoopFacts *source = sourceOf(loop);
  if (!source || source->numIterations < 0)
    return std::nullopt;
  const int64_t own = unrolledBy(loop, *source);
  if (own == 0)
    return std::nullopt;
  // A loop of more rounds at once comes before it, and leaves the rest to it.
  int64_t most = own;
  for (const CodeRegion &other : m_regions.regions)
    if (other.kind == CodeRegion::Kind::Loop && sourceOf(other) == source)
      most = std::max(most, unrolledBy(other, *source));
  const int64_t rounds = own == most ? source->numIterations : source->numIterations % most;
  return static_cast<double>(rounds / own);
}

std::string LoopRounds::whyNot(uint32_t instruction) const {
  const auto loop = std::ranges::find_if(m_regions.regions, [&](const CodeRegion &each) {
    return each.kind == CodeRegion::Kind::Loop && each.begin == instruction;
  });
  const LoopFacts *source = loop == m_regions.regions.end() ? nullptr : sourceOf(*loop);
  if (!source) {
    const int64_t line = lineOf(instruction);
    return "how often a loop goes round is not known" +
           (line < 0 ? std::string() : " (line " + std::to_string(line + 1) + ")");
  }
  const std::string place = "line " + std::to_string(source->range.begin.line + 1);
  if (source->numIterations >= 0)
    return "the loop in " + place + " goes round " + std::to_string(source->numIterations) +
           " times, but the code does not show how many of these are one round of its own";
  if (source->obstacle == PipelineObstacle::NoCounter)
    return "the `while` loop in " + place +
           " accesses no memory, and goes round until values end it that only a run computes";
  return "the loop in " + place +
         " accesses no memory, and its bounds are values that only a run computes";
}

} // namespace tilescope::compiler::estimate
