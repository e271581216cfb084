// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"

namespace tilescope::app {

int runPackage(const PackageOptions &options) {
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error());
  compiler::WorkerClient worker(workerOptions());
  const Result<profiler::KernelPackage> package = compilePackage(worker, options.file, *selection);
  if (!package)
    return package.error().message.empty() ? 1 : reportError(package.error());
  if (Status status = profiler::writePackage(options.output, *package))
    return reportError(*status);
  return 0;
}

} // namespace tilescope::app
