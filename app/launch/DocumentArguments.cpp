// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/DocumentArguments.h"

#include "profiler/package/EvaluateLaunch.h"
#include "profiler/package/TensorMap.h"

namespace tilescope::app {

using compiler::KernelParameter;
using compiler::StageId;

std::string launchName(const std::vector<KernelParameter> &parameters, size_t position,
                       StageId entry, const profiler::LaunchPlan &plan) {
  const std::string &name = parameters[position].name;
  const bool isNumbered = entry >= StageId::LlvmIr && name == "arg" + std::to_string(position);
  return isNumbered && !plan.argument(name) && position < plan.args.size()
             ? plan.args[position].name
             : name;
}

std::vector<compiler::Diagnostic> missingArguments(const compiler::CompileRequest &request,
                                                   const ResolvedLaunch &launch,
                                                   const std::vector<KernelParameter> &parameters) {
  std::vector<compiler::Diagnostic> missing;
  if (request.entry == StageId::Ast || !launch.plan)
    return missing;
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(request.text);
  const profiler::LaunchBlock &block = blocks.blocks[static_cast<size_t>(launch.block)];
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string name = launchName(parameters, i, request.entry, *launch.plan);
    if (!launch.plan->argument(name) && !profiler::extentParameter(*launch.plan, name))
      missing.push_back(launchDiagnostic(profiler::missingArgument(block, name)));
  }
  return missing;
}

} // namespace tilescope::app
