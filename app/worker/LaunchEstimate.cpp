// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/LaunchEstimate.h"

#include "compiler/estimate/FindEstimate.h"
#include "compiler/machine/CodeLiveness.h"
#include "compiler/pipeline/LoopPipelines.h"
#include "compiler/support/Text.h"
#include "profiler/analysis/Occupancy.h"

#include <algorithm>
#include <numeric>

namespace tilescope::app {

using namespace compiler;

static std::map<std::string, uint64_t> arrayBytes(const profiler::LaunchPlan &plan) {
  std::map<std::string, uint64_t> bytes;
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanTensor *tensor = argument.tensor())
      bytes[argument.name] = std::accumulate(
          tensor->shape.begin(), tensor->shape.end(),
          static_cast<uint64_t>(profiler::dtypeSize(tensor->dtype)), std::multiplies<>());
  return bytes;
}

/// Without an assembler, as many as are alive in PTX at once, and some for addresses.
int64_t registersOf(const CompileResult &result, std::vector<std::string> &assumptions) {
  constexpr int64_t kMore = 8, kMost = 255;
  if (result.resources.registers >= 0)
    return result.resources.registers;
  const Stage *ptx = result.stage(StageId::Ptx);
  if (!ptx || !ptx->ok)
    return -1;
  const int64_t registers =
      std::min<int64_t>(kMost, machine::ptxLiveness(ptx->text).peakRegisters() + kMore);
  assumptions.push_back("a thread takes " + std::to_string(registers) +
                        " registers: as many as are alive in PTX, and eight more");
  return registers;
}

std::map<std::string, int64_t> integersOf(const profiler::LaunchPlan &plan) {
  std::map<std::string, int64_t> numbers;
  for (const profiler::PlanArgument &argument : plan.args) {
    const profiler::PlanScalar *scalar = argument.scalar();
    if (!scalar)
      continue;
    if (const auto *number = std::get_if<int64_t>(&scalar->value))
      numbers[argument.name] = *number;
    else if (const auto *natural = std::get_if<uint64_t>(&scalar->value))
      numbers[argument.name] = static_cast<int64_t>(*natural);
  }
  return numbers;
}

/// The facts of a loop are at the head of its statement: what follows further to the right is its body.
static void coverBody(SourceRange &range, const std::vector<std::string_view> &lines) {
  const auto indentOf = [](std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
  };
  if (range.file != 0 || range.begin.line >= lines.size())
    return;
  const size_t indent = indentOf(lines[range.begin.line]);
  for (uint32_t at = range.begin.line + 1; at < lines.size(); ++at) {
    if (trimmed(lines[at]).empty())
      continue;
    if (indentOf(lines[at]) <= indent)
      break;
    range.end.line = std::max(range.end.line, at);
  }
}

Estimate launchEstimate(const CountedLaunch &counted, const profiler::LaunchPlan &plan) {
  constexpr int32_t kWarpThreads = 32;
  const CompileResult &result = counted.result;
  Estimate none;
  estimate::EstimateInput input;
  const int64_t registers = registersOf(result, input.assumptions);
  const std::optional<profiler::Occupancy> occupancy =
      profiler::occupancyOn(result.target, {registers, result.metadata.sharedBytes,
                                            result.metadata.numWarps * kWarpThreads});
  if (!occupancy || counted.facts->program) {
    none.reason = occupancy ? "only one program was counted"
                            : "the limits of `" + result.target + "` are not known";
    return none;
  }
  if (result.metadata.numCtas > 1) {
    none.reason = "programs of several blocks are not modeled";
    return none;
  }
  input.result = &result;
  input.traffic.memory = &*counted.facts;
  input.traffic.programs = &counted.kernel.programs;
  input.traffic.arrayBytes = arrayBytes(plan);
  input.traffic.programsPerSm = occupancy->blocksPerSm;
  input.traffic.sharedBytes = result.metadata.sharedBytes;
  Estimate found = estimate::findEstimate(input);
  if (found.reason.empty())
    return found;
  // Where accesses do not say how often loops go round, the launch's numbers may.
  const std::map<std::string, int64_t> numbers = integersOf(plan);
  Result<std::vector<LoopFacts>> loops = findLoops(result, &numbers);
  if (!loops || loops->empty())
    return found;
  const std::vector<std::string_view> lines = splitLines(
      result.files.empty() ? std::string_view() : std::string_view(result.files.front().text));
  for (LoopFacts &loop : *loops)
    coverBody(loop.range, lines);
  input.loops = std::move(*loops);
  return estimate::findEstimate(input);
}

} // namespace tilescope::app
