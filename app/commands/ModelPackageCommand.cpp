// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelData.h"
#include "app/commands/ModelText.h"
#include "app/commands/PackModel.h"
#include "app/commands/PlanModel.h"
#include "app/commands/ReadModel.h"

#include <cstdio>

namespace tilescope::app {

int runModelPackage(const ModelPackageOptions &options) {
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return reportError(request.error());
  request->path = options.file;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<PlannedModel> planned = planModel(worker, *request, options.inputs);
  if (!planned)
    return reportError(planned.error());
  std::fputs(modelDiagnosticsText(options.file, planned->model).c_str(), stderr);
  if (!planned->model.ok)
    return 1;
  const auto inputs = inputTensors(planned->plan, options.inputs);
  if (!inputs)
    return reportError(inputs.error());
  const Result<PackedModel> packed =
      packModel(worker, {planned->plan, options.file, *inputs, options.target});
  if (!packed)
    return reportError(packed.error());
  compiler::ModelResult findings;
  findings.diagnostics = packed->findings;
  std::fputs(modelDiagnosticsText(options.file, findings).c_str(), stderr);
  if (Status status = profiler::writeModelPackage(options.output, packed->package); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
