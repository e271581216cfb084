// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SampleLines.h"

#include "compiler/machine/SassProgram.h"

#include <algorithm>
#include <map>
#include <optional>
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

/// The line of the document that each offset of a function came from.
static std::unordered_map<uint32_t, uint32_t> documentLines(const compiler::Stage &sass,
                                                            std::string_view symbol) {
  std::unordered_map<uint32_t, uint32_t> byTextLine, byOffset;
  for (const compiler::LineMapping &mapping : sass.sourceMap.lines)
    if (const std::optional<uint32_t> line = documentLine(mapping.sources))
      byTextLine.emplace(mapping.line, *line);
  const auto [begin, end] = compiler::machine::functionLines(sass.text, symbol);
  for (const SassInstruction &instruction : compiler::machine::parseSass(sass.text).instructions) {
    const auto line = byTextLine.find(instruction.line);
    if (instruction.line >= begin && instruction.line < end && line != byTextLine.end())
      byOffset.emplace(instruction.address, line->second);
  }
  return byOffset;
}

void mapSamples(SampleData &samples, const compiler::Stage &sass, std::string_view symbol) {
  const std::unordered_map<uint32_t, uint32_t> lineAt = documentLines(sass, symbol);
  std::map<uint32_t, profiler::LineSamples> lines;
  uint64_t mapped = 0;
  for (const profiler::StallSample &stall : samples.stalls) {
    const auto found = lineAt.find(stall.offset);
    if (found == lineAt.end() || stall.samples == 0)
      continue;
    profiler::LineSamples &line = lines[found->second];
    line.line = found->second;
    line.samples += stall.samples;
    line.notIssued += stall.notIssued;
    line.reasons[samples.reasons[stall.reason]] += stall.samples;
    mapped += stall.samples;
  }
  samples.lines.clear();
  for (auto &[number, line] : lines)
    samples.lines.push_back(std::move(line));
  samples.mappedShare.reset();
  if (const uint64_t all = samples.kernelSamples(); all > 0)
    samples.mappedShare = static_cast<double>(mapped) / static_cast<double>(all);
}

void mapExecutions(profiler::ExecutionData &executions, const compiler::Stage &sass,
                   std::string_view symbol) {
  const std::unordered_map<uint32_t, uint32_t> lineAt = documentLines(sass, symbol);
  std::map<uint32_t, profiler::ExecutionCounts> lines;
  for (const profiler::InstructionExecutions &instruction : executions.instructions)
    if (const auto found = lineAt.find(instruction.offset); found != lineAt.end())
      lines[found->second].add(instruction.counts);
  executions.lines.clear();
  for (const auto &[line, counts] : lines)
    executions.lines.push_back({line, counts});
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
