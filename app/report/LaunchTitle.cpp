// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LaunchTitle.h"

#include <algorithm>
#include <map>

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

/// Which of the configurations that the kernel offers it was compiled with, `BLOCK=64 num_warps=8`; empty:
/// with none of them.
static std::string configurationOf(const compiler::CompileResult &result) {
  using Values = std::map<std::string, std::string>;
  const auto agree = [](const Values &wanted, const Values &has) {
    return std::ranges::all_of(wanted, [&](const auto &value) {
      const auto found = has.find(value.first);
      return found != has.end() && found->second == value.second;
    });
  };
  for (const compiler::Configuration &each : result.configurations)
    if (agree(each.constexprs, result.constexprs) && agree(each.options, result.options))
      return each.text(" ");
  return {};
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
  if (const std::string configuration = configurationOf(inputs.result); !configuration.empty())
    kernel.launchTitle += "; configuration " + configuration;
  for (const LaunchBlock &block : profiler::parseLaunchBlocks(inputs.source).blocks)
    if (!(block.range == own->range))
      kernel.launchesLeftOut.push_back(nameOf(block));
}

} // namespace tilescope::app
