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
#include "profiler/deploy/ExportModel.h"

#include <cstdio>
#include <optional>

namespace tilescope::app {

namespace {
/// What a command has, or the exit status that it ends with.
struct PackedOrStatus {
  std::optional<profiler::ModelPackage> package;
  int status = 0;
};
} // namespace

/// Reads the model, plans it and compiles its kernels; tells what is wrong.
static PackedOrStatus packFile(const ModelPackageOptions &options) {
  const auto failed = [](const Error &error) {
    return PackedOrStatus{std::nullopt, reportError(error)};
  };
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return failed(request.error());
  request->path = options.file;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<PlannedModel> planned = planModel(worker, *request, options.inputs);
  if (!planned)
    return failed(planned.error());
  std::fputs(modelDiagnosticsText(options.file, planned->model).c_str(), stderr);
  if (!planned->model.ok)
    return {std::nullopt, 1};
  const auto inputs = inputTensors(planned->plan, options.inputs);
  if (!inputs)
    return failed(inputs.error());
  Result<PackedModel> packed =
      packModel(worker, {planned->plan, options.file, *inputs, options.target, options.keepsPtx});
  if (!packed)
    return failed(packed.error());
  compiler::ModelResult findings;
  findings.diagnostics = packed->findings;
  std::fputs(modelDiagnosticsText(options.file, findings).c_str(), stderr);
  return {std::move(packed->package), 0};
}

int runModelPackage(const ModelPackageOptions &options) {
  const PackedOrStatus packed = packFile(options);
  if (!packed.package)
    return packed.status;
  if (Status status = profiler::writeModelPackage(options.output, *packed.package); !status)
    return reportError(status.error());
  return 0;
}

int runModelExport(const ModelPackageOptions &options) {
  // Told before the kernels are compiled.
  const auto folder = profiler::OutputFolder::make(options.output);
  if (!folder)
    return reportError(folder.error());
  const PackedOrStatus packed = packFile(options);
  if (!packed.package)
    return packed.status;
  if (Status status = profiler::exportModel(*packed.package, *folder); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
