// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"

#include "app/launch/ResolveLaunch.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>

namespace tilescope::app {

Result<std::vector<std::string>> allLaunches(const InputFile &input) {
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(input.text);
  const auto problem = std::ranges::find_if(blocks.problems, &profiler::LaunchProblem::isError);
  if (problem != blocks.problems.end())
    return Error{ErrorCode::InvalidInput,
                 input.path + ":" + std::to_string(problem->range.begin.line + 1) + ":" +
                     std::to_string(problem->range.begin.column + 1) + ": " + problem->message,
                 problem->hint};
  if (blocks.blocks.empty())
    return Error{ErrorCode::InvalidInput, "`" + input.path + "` has no launch block",
                 "a launch block says how a kernel is run: grid, arguments and their sizes"};
  return launchNames(input.text);
}

std::vector<std::string> launchesLeftOut(const InputFile &input,
                                         const compiler::Selection &selection) {
  const std::vector<profiler::LaunchBlock> blocks = profiler::parseLaunchBlocks(input.text).blocks;
  if (!selection.launch.empty() || blocks.size() < 2)
    return {};
  std::vector<SourceKernel> kernels;
  if (input.entry == compiler::StageId::Ast)
    kernels = sourceKernels(input.text);
  const int taken = findLaunch(blocks, kernels, selection);
  const std::vector<std::string> names = launchNames(input.text);
  std::vector<std::string> leftOut;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (static_cast<int>(i) != taken && findLaunch({blocks[i]}, kernels, selection) == 0)
      leftOut.push_back(names[i]);
  return leftOut;
}

} // namespace tilescope::app
