// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/launch/ResolveLaunch.h"

#include <algorithm>
#include <filesystem>

namespace tilescope::app {

static int writeOnePackage(compiler::WorkerClient &worker, const InputFile &file,
                           const compiler::Selection &selection, const std::string &output) {
  const CompiledPackage compiled = compilePackage(worker, file, selection);
  const Result<profiler::KernelPackage> &package = compiled.package;
  printDiagnostics(compiled.diagnostics, compiled.files);
  if (!package)
    return package.error().message.empty() ? 1 : reportError(package.error());
  if (Status status = profiler::writePackage(output, *package))
    return reportError(*status);
  return 0;
}

int runPackage(const PackageOptions &options) {
  Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error());
  const Result<InputFile> input = readInput(options.file, selection->kernel);
  if (!input)
    return reportError(input.error());
  compiler::WorkerClient worker(workerOptions());
  if (!options.allLaunches)
    return writeOnePackage(worker, *input, *selection, options.output);

  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  int worst = 0;
  for (const std::string &name : launchNames(input->text)) {
    selection->launch = name;
    worst = std::max(worst, writeOnePackage(worker, *input, *selection,
                                            options.output + "/" + name + ".tskernel"));
  }
  return worst;
}

} // namespace tilescope::app
