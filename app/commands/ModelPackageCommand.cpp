// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ExtentSets.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/PackModel.h"
#include "app/commands/PrepareModel.h"
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
static PackedOrStatus packFile(const ModelPackageOptions &options,
                               const std::vector<std::string> &extents) {
  const auto failed = [](const Error &error) {
    return PackedOrStatus{std::nullopt, reportError(error)};
  };
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<std::optional<PreparedModel>> prepared =
      prepareModel(worker, {options.file, extents, options.fusions, options.form, options.inputs,
                            options.target});
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
  const PackedOrStatus packed = packFile(options, options.extents);
  if (!packed.package)
    return packed.status;
  if (Status status = profiler::writeModelPackage(options.output, *packed.package); !status)
    return reportError(status.error());
  return 0;
}

int runModelExport(const ModelPackageOptions &options) {
  const Result<std::vector<std::vector<std::string>>> sets = extentSets(options.extents);
  if (!sets)
    return reportError(sets.error());
  // Told before the kernels are compiled.
  const auto folder = profiler::OutputFolder::make(options.output);
  if (!folder)
    return reportError(folder.error());
  profiler::DeployPlanMaker packages;
  for (const std::vector<std::string> &extents : *sets) {
    PackedOrStatus packed = packFile(options, extents);
    if (!packed.package) {
      if (sets->size() > 1)
        std::fprintf(stderr, "tilescope: note: this is so with %s\n", joinedTexts(extents).c_str());
      return packed.status;
    }
    packages.add(std::move(*packed.package));
  }
  if (Status status = profiler::exportModel(packages, *folder); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
