// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NotLaunched.h"

#include "app/commands/CompileFile.h"
#include "app/launch/GuessedLaunch.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/SourceKernels.h"
#include "profiler/package/LaunchBlock.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// The kernels that the file's launch blocks are for: `a`, `b`.
static std::string launchedKernels(const compiler::CompileRequest &request) {
  std::string names;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(request.text).blocks)
    if (!block.kernel.empty() && names.find("`" + block.kernel + "`") == std::string::npos)
      names += (names.empty() ? "`" : ", `") + block.kernel + "`";
  return names;
}

Error notLaunched(const compiler::CompileRequest &request) {
  const std::string &wanted = request.selection.kernel;
  const std::vector<SourceKernel> kernels = request.entry == compiler::StageId::Ast
                                                ? sourceKernels(request.text)
                                                : std::vector<SourceKernel>();
  if (!wanted.empty() && !kernels.empty() && !findKernel(kernels, wanted))
    return noSuchKernel(request);
  const std::string others = launchedKernels(request);
  return {ErrorCode::InvalidInput,
          (request.path.empty() ? "This file" : "`" + request.path + "`") + " does not say how " +
              (wanted.empty() ? "its kernel" : "`" + wanted + "`") + " is launched" +
              (others.empty() ? "" : ": its launch block is for " + others),
          "write a launch block into the file: a comment that begins with `# /// tilescope` and "
          "states the grid, the arguments and their sizes"};
}

} // namespace tilescope::app
