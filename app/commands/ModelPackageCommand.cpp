// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/PackModel.h"
#include "app/commands/PrepareModel.h"
#include "profiler/deploy/ExportModel.h"

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
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<std::optional<PreparedModel>> prepared = prepareModel(
      worker, {options.file, options.extents, options.fusions, options.form, options.inputs});
  if (!prepared)
    return failed(prepared.error());
  if (!*prepared)
    return {std::nullopt, 1};
  const PreparedModel &model = **prepared;
  Result<PackedModel> packed = packModel(worker, {model.planned.plan,
                                                  options.file,
                                                  model.inputs,
                                                  options.target,
                                                  options.keepsPtx,
                                                  {},
                                                  tellCompiled()});
  if (!packed)
    return failed(packed.error());
  printFindings(options.file, std::move(packed->findings));
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
