// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SampleLines.h"

#include "compiler/machine/SassProgram.h"
#include "compiler/support/Text.h"
#include "profiler/data/LineSums.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <unordered_map>

namespace tilescope::app {

using compiler::machine::SassInstruction;
using profiler::SampleData;

/// The innermost place in the document; nothing where there is none.
static std::optional<uint32_t> documentLine(const std::vector<SourceRange> &sources) {
  for (const SourceRange &source : sources)
    if (source.file == 0)
      return source.begin.line;
  return std::nullopt;
}

namespace {

/// An instruction of the kernel, and what is known of where it came from.
struct PlacedInstruction {
  const SassInstruction *instruction = nullptr;
  /// The map has a place for it, if not one in the document.
  bool hasPlace = false;
  std::optional<uint32_t> line;
  /// Of the assembler's own function that it belongs to, among those of the text; -1: the kernel.
  int routine = -1;
};

/// Code that the assembler adds, such as a division: it stands behind the kernel, in its section, and
/// is called from there.
struct Routine {
  std::string_view name;
  uint32_t textLine = 0;
};

} // namespace

/// `$__internal_0_$__cuda_sm20_div_s64:`, in their order.
static std::vector<Routine> routinesOf(std::string_view sass) {
  std::vector<Routine> routines;
  uint32_t number = 0;
  for (const std::string_view each : splitLines(sass)) {
    const std::string_view line = trimmed(each);
    if (line.starts_with("$__internal_") && line.ends_with(':'))
      routines.push_back({line.substr(0, line.size() - 1), number});
    ++number;
  }
  return routines;
}

static std::vector<PlacedInstruction>
placedInstructions(const compiler::Stage &sass, const compiler::machine::SassProgram &program,
                   const std::vector<Routine> &routines, std::string_view symbol) {
  std::unordered_map<uint32_t, std::optional<uint32_t>> byTextLine;
  for (const compiler::LineMapping &mapping : sass.sourceMap.lines)
    if (!mapping.sources.empty())
      byTextLine.emplace(mapping.line, documentLine(mapping.sources));
  const auto [begin, end] = compiler::machine::functionLines(sass.text, symbol);
  std::vector<PlacedInstruction> placed;
  for (const SassInstruction &instruction : program.instructions) {
    if (instruction.line < begin || instruction.line >= end)
      continue;
    PlacedInstruction &each = placed.emplace_back();
    each.instruction = &instruction;
    const auto behind =
        std::ranges::upper_bound(routines, instruction.line, {}, &Routine::textLine);
    if (behind != routines.begin() && std::prev(behind)->textLine >= begin)
      each.routine = static_cast<int>(behind - routines.begin()) - 1;
    const auto found = byTextLine.find(instruction.line);
    each.hasPlace = found != byTextLine.end();
    if (each.hasPlace)
      each.line = found->second;
  }
  return placed;
}

/// Of a routine that is called from one line of the document alone; nothing for others.
static std::vector<std::optional<uint32_t>>
callingLines(const std::vector<PlacedInstruction> &placed, const std::vector<Routine> &routines) {
  std::vector<std::optional<uint32_t>> lines(routines.size());
  std::vector<bool> isCalledElsewhere(routines.size());
  for (const PlacedInstruction &each : placed) {
    if (each.instruction->operation != "CALL" || each.instruction->operands.empty() || !each.line)
      continue;
    const std::string_view callee = each.instruction->operands.back();
    for (size_t i = 0; i < routines.size(); ++i)
      if (callee.find(routines[i].name) != std::string_view::npos) {
        isCalledElsewhere[i] = isCalledElsewhere[i] || (lines[i] && lines[i] != each.line);
        lines[i] = each.line;
      }
  }
  for (size_t i = 0; i < routines.size(); ++i)
    if (isCalledElsewhere[i])
      lines[i].reset();
  return lines;
}

/// Instructions that the compiler moved or joined have no place of their own: they belong to what is
/// before them, at the beginning to what follows.
static void joinNeighbors(std::vector<PlacedInstruction> &placed) {
  const auto take = [](PlacedInstruction &each, const PlacedInstruction *&last) {
    if (each.routine >= 0)
      return;
    if (each.hasPlace)
      last = &each;
    else if (last) {
      each.hasPlace = true;
      each.line = last->line;
    }
  };
  const PlacedInstruction *before = nullptr, *behind = nullptr;
  for (PlacedInstruction &each : placed)
    take(each, before);
  for (PlacedInstruction &each : std::views::reverse(placed))
    take(each, behind);
}

/// The line of the document that each offset of a function came from.
static profiler::LineByOffset documentLines(const compiler::Stage &sass, std::string_view symbol) {
  const compiler::machine::SassProgram program = compiler::machine::parseSass(sass.text);
  const std::vector<Routine> routines = routinesOf(sass.text);
  std::vector<PlacedInstruction> placed = placedInstructions(sass, program, routines, symbol);
  // Of calls, only those with a place of their own are to be trusted.
  const std::vector<std::optional<uint32_t>> callers = callingLines(placed, routines);
  joinNeighbors(placed);
  profiler::LineByOffset byOffset;
  for (PlacedInstruction &each : placed) {
    if (each.routine >= 0)
      each.line = callers[static_cast<size_t>(each.routine)];
    if (each.line)
      byOffset.emplace(each.instruction->address, *each.line);
  }
  return byOffset;
}

void mapSamples(SampleData &samples, const compiler::Stage &sass, std::string_view symbol) {
  addUpLines(samples, documentLines(sass, symbol));
}

void mapExecutions(profiler::ExecutionData &executions, const compiler::Stage &sass,
                   std::string_view symbol) {
  addUpLines(executions, documentLines(sass, symbol));
}

std::vector<double> sampleShares(const SampleData &samples, const compiler::Stage &sass,
                                 std::string_view symbol) {
  std::unordered_map<uint32_t, uint64_t> byOffset;
  for (const profiler::StallSample &stall : samples.stalls)
    byOffset[stall.offset] += stall.samples;
  const double all = static_cast<double>(samples.kernelSamples());
  const auto [begin, end] = compiler::machine::functionLines(sass.text, symbol);
  std::vector<double> shares;
  for (const SassInstruction &instruction : compiler::machine::parseSass(sass.text).instructions) {
    const auto found = byOffset.find(instruction.address);
    if (instruction.line < begin || instruction.line >= end || found == byOffset.end() || all == 0)
      continue;
    if (shares.size() <= instruction.line)
      shares.resize(instruction.line + 1);
    shares[instruction.line] = static_cast<double>(found->second) / all;
  }
  return shares;
}

void mapSamples(profiler::Measurement &measurement, const compiler::Stage *sass,
                const profiler::KernelPackage &package) {
  if (!measurement.samples && !measurement.executions)
    return;
  const bool isOwnCode =
      !package.cubin.empty() && profiler::targetFits(package.target, measurement.device);
  if (isOwnCode && sass && sass->ok) {
    if (measurement.samples)
      mapSamples(*measurement.samples, *sass, measurement.kernel);
    if (measurement.executions)
      mapExecutions(*measurement.executions, *sass, measurement.kernel);
    return;
  }
  measurement.notes.push_back(
      isOwnCode ? "samples are not given to lines of the source: nvdisasm, which reads the machine "
                  "code, is missing (the CUDA Toolkit has it)"
                : "samples are not given to lines of the source: the device ran code that its "
                  "driver compiled; ptxas of the CUDA Toolkit makes it for the device's target");
}

} // namespace tilescope::app
