// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/EstimateJson.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using namespace compiler;
using nlohmann::json;

/// With as many digits as mean anything.
static double rounded(double value) {
  if (value == 0 || !std::isfinite(value))
    return 0;
  char text[32];
  std::snprintf(text, sizeof(text), std::abs(value) >= 1e5 ? "%.0f" : "%.5g", value);
  return std::strtod(text, nullptr);
}

static json factsJson(const EstimateFacts &facts) {
  json object = {{"target", facts.target},
                 {"programs", facts.programs},
                 {"warps", facts.warps},
                 {"programs_per_sm", facts.programsPerSm},
                 {"instructions", rounded(facts.instructions)},
                 {"alone_cycles", rounded(facts.aloneCycles)},
                 {"wavefronts", rounded(facts.wavefronts)},
                 {"l2_read_bytes", std::round(facts.l2ReadBytes)},
                 {"l2_write_bytes", std::round(facts.l2WriteBytes)},
                 {"dram_read_bytes", std::round(facts.dramReadBytes)},
                 {"dram_write_bytes", std::round(facts.dramWriteBytes)},
                 {"atomic_sectors", std::round(facts.atomicSectors)},
                 {"atomic_turns", rounded(facts.atomicTurns)}};
  json pipes = json::array();
  for (const double cycles : facts.pipeCycles)
    pipes.push_back(rounded(cycles));
  object["pipe_cycles"] = std::move(pipes);
  return object;
}

json estimateJson(const Estimate &estimate, const std::vector<SourceFile> &files) {
  if (!estimate.isKnown())
    return {{"reason", estimate.reason}};
  json object = {{"device", estimate.device},
                 {"us", rounded(estimate.us)},
                 {"bottleneck", bottleneckName(estimate.bottleneck)},
                 {"confidence", estimate.facts.confidence == EstimateConfidence::MachineCode
                                    ? "machine code"
                                    : "ptx"},
                 {"assumptions", estimate.facts.assumptions},
                 {"parts", json::array()},
                 {"lines", json::array()},
                 {"facts", factsJson(estimate.facts)}};
  for (const EstimatePart &part : estimate.parts)
    object["parts"].push_back({{"name", part.name}, {"us", rounded(part.us)}});
  for (const EstimateLine &line : estimate.facts.lines)
    if (line.range.file < files.size())
      object["lines"].push_back({{"file", files[line.range.file].path},
                                 {"line", line.range.begin.line + 1},
                                 {"share", rounded(line.share)}});
  return object;
}

} // namespace tilescope::app
