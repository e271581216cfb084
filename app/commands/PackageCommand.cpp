// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <functional>

namespace tilescope::app {

using WritePackage = std::function<Status(const profiler::KernelPackage &package)>;

static int writeOnePackage(compiler::WorkerClient &worker, const InputFile &file,
                           const compiler::Selection &selection, const WritePackage &write) {
  const CompiledPackage compiled = compilePackage(worker, file, selection);
  const Result<profiler::KernelPackage> &package = compiled.package;
  printDiagnostics(compiled.diagnostics, compiled.files);
  if (!package)
    return package.error().message.empty() ? 1 : reportError(package.error());
  if (Status status = write(*package); !status)
    return reportError(status.error());
  return 0;
}

int runPackage(const PackageOptions &options) {
  Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error());
  const Result<InputFile> input = readInput(options.file, selection->kernel);
  if (!input)
    return reportError(input.error());
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  if (!options.allLaunches)
    return writeOnePackage(worker, *input, *selection, [&](const auto &package) {
      return profiler::writePackage(options.output, package);
    });

  const Result<std::vector<std::string>> names = allLaunches(*input);
  if (!names)
    return reportError(names.error());
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::make(options.output);
  if (!folder)
    return reportError(folder.error());
  int worst = 0;
  for (const std::string &name : *names) {
    selection->launch = name;
    worst = std::max(worst, writeOnePackage(worker, *input, *selection, [&](const auto &package) {
                       return folder->write(name + ".tskernel", profiler::encodePackage(package));
                     }));
  }
  return worst;
}

} // namespace tilescope::app
