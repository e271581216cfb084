// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepWinner.h"

#include "app/launch/TunedList.h"
#include "compiler/artifacts/LaunchOptions.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>

namespace tilescope::app {

Result<std::string> textWithWinner(const std::string &text, compiler::StageId entry,
                                   const std::string &kernel, size_t block,
                                   const profiler::SweepWinner &winner) {
  std::vector<profiler::LaunchEdit> edits;
  compiler::Configuration configuration;
  for (const auto &[name, value] : winner.configuration) {
    const bool isOption = compiler::isLaunchOption(name);
    edits.push_back({{isOption ? "options" : "constexprs", name}, profiler::tomlValue(value)});
    (isOption ? configuration.options : configuration.constexprs)[name] = value;
  }
  Result<std::string> edited = profiler::editLaunchBlock(text, block, edits);
  if (edited && entry == compiler::StageId::Ast)
    if (auto tuned = withConfiguration(*edited, kernel, configuration))
      return std::move(*tuned);
  return edited;
}

std::optional<size_t> sweptBlock(const std::string &text, const profiler::Sweep &sweep) {
  const std::vector<profiler::LaunchBlock> blocks = profiler::parseLaunchBlocks(text).blocks;
  const auto found = std::ranges::find_if(blocks, [&](const profiler::LaunchBlock &block) {
    return block.name == sweep.launch && (block.kernel.empty() || block.kernel == sweep.kernel);
  });
  return found == blocks.end() ? std::nullopt
                               : std::optional(static_cast<size_t>(found - blocks.begin()));
}

} // namespace tilescope::app
