// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SampleLines.h"

#include "compiler/machine/SassProgram.h"
#include "profiler/data/LineSums.h"

#include <algorithm>
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
static profiler::LineByOffset documentLines(const compiler::Stage &sass, std::string_view symbol) {
  std::unordered_map<uint32_t, uint32_t> byTextLine;
  profiler::LineByOffset byOffset;
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
