// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LaunchTitle.h"

namespace tilescope::app {

using profiler::LaunchBlock;

static std::string lineText(const LaunchBlock &block) {
  return "line " + std::to_string(block.range.begin.line + 1);
}

/// `rms_bwd, line 28`; `small, line 5`.
static std::string nameOf(const LaunchBlock &block) {
  const std::string &name = block.name.empty() ? block.kernel : block.name;
  return (name.empty() ? "launch" : name) + ", " + lineText(block);
}

std::optional<LaunchBlock> ownBlock(const ReportInputs &inputs) {
  const std::vector<LaunchBlock> blocks = profiler::parseLaunchBlocks(inputs.source).blocks;
  const int32_t own = inputs.result.launch.block;
  return own >= 0 && static_cast<size_t>(own) < blocks.size()
             ? std::optional(blocks[static_cast<size_t>(own)])
             : std::nullopt;
}

void addLaunchTitle(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  const std::optional<LaunchBlock> own = ownBlock(inputs);
  if (!own)
    return;
  kernel.launchTitle =
      "launch " + (own->name.empty() ? "in " : "`" + own->name + "`, ") + lineText(*own);
  const char *separator = ": ";
  if (inputs.plan)
    for (const auto &[name, value] : inputs.plan->sizes) {
      kernel.launchTitle += separator + name + " = " + value;
      separator = ", ";
    }
  for (const LaunchBlock &block : profiler::parseLaunchBlocks(inputs.source).blocks)
    if (!(block.range == own->range))
      kernel.launchesLeftOut.push_back(nameOf(block));
}

} // namespace tilescope::app
