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

} // namespace tilescope::app
