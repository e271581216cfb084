// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/PackModel.h"
#include "app/commands/PrepareModel.h"

namespace tilescope::app {

int runModelPackage(const ModelPackageOptions &options) {
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<std::optional<PreparedModel>> prepared =
      prepareModel(worker, {options.file, options.extents, options.form, options.inputs});
  if (!prepared)
    return reportError(prepared.error());
  if (!*prepared)
    return 1;
  const PreparedModel &model = **prepared;
  Result<PackedModel> packed = packModel(
      worker, {model.planned.plan, options.file, model.inputs, options.target, {}, tellCompiled()});
  if (!packed)
    return reportError(packed.error());
  printFindings(options.file, std::move(packed->findings));
  if (Status status = profiler::writeModelPackage(options.output, packed->package); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
