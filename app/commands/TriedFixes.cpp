// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TriedFixes.h"

#include "compiler/artifacts/AppliedFix.h"
#include "profiler/data/FileIo.h"

#include <utility>

namespace tilescope::app {

/// Each is a run of the whole launch.
static constexpr size_t kTriedFixes = 4;

std::vector<TriedFix> tryFixes(compiler::WorkerClient &worker,
                               const compiler::CompileRequest &request,
                               const profiler::LaunchPlan &plan,
                               const std::vector<compiler::DiagnosticFix> &fixes,
                               const std::string &inputFolder, const std::stop_token &stop) {
  std::vector<TriedFix> tried;
  for (size_t i = 0; i < fixes.size() && i < kTriedFixes; ++i) {
    Result<TemporaryFolder> outputs = TemporaryFolder::make();
    if (!outputs)
      break;
    compiler::CompileRequest fixed = request;
    fixed.text = compiler::fixedText(fixed.text, fixes[i]);
    const InterpreterRun run{.outputFolder = outputs->path(), .inputFolder = inputFolder};
    if (interpret(worker, fixed, plan, run, {}, stop))
      tried.push_back({fixes[i], std::move(*outputs)});
  }
  return tried;
}

std::vector<compiler::DiagnosticFix>
fixesOf(const std::string &output, const std::vector<TriedFix> &tried, const std::string &folder) {
  std::vector<compiler::DiagnosticFix> changing;
  const Result<std::string> before = profiler::readFile(folder + "/" + output + ".npy");
  for (const TriedFix &each : tried) {
    const Result<std::string> after =
        profiler::readFile(each.outputs.path() + "/" + output + ".npy");
    if (before && after && *after != *before)
      changing.push_back(each.fix);
  }
  return changing;
}

} // namespace tilescope::app
