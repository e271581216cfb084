// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/runner/TextOutput.h"

#include <cstdio>
#include <filesystem>

namespace tilescope::app {

using profiler::Measurement;

/// The interpreter's run of a file: its outputs end up in `folder`.
static Result<Measurement> interpret(compiler::WorkerClient &worker, const std::string &path,
                                     const compiler::Selection &selection,
                                     const std::string &folder) {
  const Result<InputFile> input = readInput(path);
  if (!input)
    return input.error();
  CompiledFile file;
  std::vector<compiler::Diagnostic> diagnostics;
  file.request = makeRequest(*input, selection, diagnostics, file.plan);
  printDiagnostics(diagnostics, {{input->path, input->text}});
  if (hasErrors(diagnostics))
    return Error{ErrorCode::InvalidInput, "", ""};
  Result<Measurement> measurement = runOnCpu(worker, file, folder);
  if (!measurement)
    return measurement;
  printDiagnostics(file.result.diagnostics, file.result.files);
  if (!file.result.ok)
    return Error{ErrorCode::InvalidInput, "", ""};
  return measurement;
}

static Result<Measurement> runWithOptions(const RunOptions &options,
                                          const compiler::Selection &selection,
                                          const RunPlace &place, const std::string &scratch) {
  compiler::WorkerClient worker(workerOptions());
  std::error_code error;
  if (!options.dumpFolder.empty() &&
      !std::filesystem::create_directories(options.dumpFolder, error) && error)
    return Error{ErrorCode::Environment,
                 "`" + options.dumpFolder + "` cannot be made: " + error.message(), ""};
  if (place.kind == RunPlace::Kind::Cpu)
    return interpret(worker, options.file, selection,
                     options.dumpFolder.empty() ? scratch : options.dumpFolder);

  compiler::Selection chosen = selection;
  if (chosen.target.empty() && place.kind == RunPlace::Kind::Cuda)
    chosen.target = presentTarget();
  Result<profiler::KernelPackage> package = compilePackage(worker, options.file, chosen);
  if (!package)
    return package.error();
  LaunchOptions launch;
  launch.place = place;
  launch.dumpFolder = options.dumpFolder;
  launch.measure = options.profile;
  launch.coldL2 = !options.warmL2;
  if (options.compare) {
    Result<Measurement> reference = interpret(worker, options.file, selection, scratch);
    if (!reference)
      return reference;
    launch.referenceFolder = scratch;
  }
  return runOnGpu(*package, launch);
}

static bool matches(const Measurement &measurement) {
  for (const profiler::OutputResult &output : measurement.outputs)
    if (output.comparison && !output.comparison->ok())
      return false;
  return true;
}

int runRun(const RunOptions &options) {
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error());
  const Result<RunPlace> place = parseRunPlace(options.where);
  if (!place)
    return reportError(place.error());
  if (options.profile && place->kind == RunPlace::Kind::Cpu)
    return reportError({ErrorCode::Environment, "there is no GPU to profile on",
                        "an NVIDIA GPU with its driver provides one, here or behind "
                        "`--on ssh://host`"});
  const TemporaryFolder scratch;
  Result<Measurement> measurement = runWithOptions(options, *selection, *place, scratch.path());
  if (!measurement)
    return measurement.error().message.empty() ? 1 : reportError(measurement.error());
  // What lies in the scratch folder is gone when the person reads about it.
  for (profiler::OutputResult &output : measurement->outputs)
    if (output.path.starts_with(scratch.path()))
      output.path.clear();
  if (options.json)
    std::puts(profiler::measurementToText(*measurement).c_str());
  else
    std::fputs(profiler::describeMeasurement(*measurement).c_str(), stdout);
  return matches(*measurement) ? 0 : 1;
}

} // namespace tilescope::app
