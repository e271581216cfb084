// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/Text.h"
#include "profiler/runner/TextOutput.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;
using profiler::Measurement;

namespace {

/// One launch, run. An error with an empty message: the diagnostics say it all.
struct LaunchRun {
  Result<Measurement> measurement;
  std::vector<compiler::Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;

  bool ok() const;
};

/// Where the tensors of one launch lie.
struct RunFolders {
  std::string inputs;
  std::string dump;
};

} // namespace

bool LaunchRun::ok() const {
  if (!measurement)
    return false;
  for (const profiler::OutputResult &output : measurement->outputs)
    if (output.comparison && !output.comparison->ok())
      return false;
  return true;
}

/// The interpreter's run of a file: its outputs end up in `folders.dump`.
static LaunchRun interpret(compiler::WorkerClient &worker, const InputFile &input,
                           const compiler::Selection &selection, const RunFolders &folders) {
  LaunchRun run{Error{ErrorCode::InvalidInput, "", ""}, {}, {{input.path, input.text}}};
  Result<CompiledFile> resolved = resolveInput(worker, input, selection);
  if (!resolved) {
    run.measurement = resolved.error();
    return run;
  }
  CompiledFile &file = *resolved;
  run.diagnostics = launchDiagnostics(file);
  if (!file.result.launch.ok)
    return run;
  Result<Measurement> measurement = runOnCpu(worker, file, folders.dump, folders.inputs);
  if (!file.result.files.empty())
    run.files = std::move(file.result.files);
  run.diagnostics.insert(run.diagnostics.end(), file.result.diagnostics.begin(),
                         file.result.diagnostics.end());
  if (!measurement || file.result.ok)
    run.measurement = std::move(measurement);
  return run;
}

/// What the interpreter found may explain differences: a race, a value that was never written.
static void addFindings(LaunchRun &run, const LaunchRun &reference) {
  for (const compiler::Diagnostic &finding : reference.diagnostics)
    if (std::ranges::find(run.diagnostics, finding) == run.diagnostics.end())
      run.diagnostics.push_back(finding);
  if (run.files.size() < reference.files.size())
    run.files = reference.files;
}

static LaunchRun runLaunch(compiler::WorkerClient &worker, const InputFile &input,
                           const RunOptions &options, const compiler::Selection &selection,
                           const RunPlace &place, const RunFolders &folders) {
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch)
    return {scratch.error(), {}, {}};
  if (!folders.dump.empty())
    if (const Result<profiler::OutputFolder> dump = profiler::OutputFolder::make(folders.dump);
        !dump)
      return {dump.error(), {}, {}};
  if (place.kind == RunPlace::Kind::Cpu) {
    const bool kept = !folders.dump.empty();
    LaunchRun run = interpret(worker, input, selection,
                              {folders.inputs, kept ? folders.dump : scratch->path()});
    // What lies in the scratch folder is gone when the person reads about it.
    if (run.measurement && !kept)
      for (profiler::OutputResult &output : run.measurement->outputs)
        output.path.clear();
    return run;
  }

  CompiledPackage compiled = compilePackage(worker, input, selection);
  LaunchRun run{Error{ErrorCode::InvalidInput, "", ""}, std::move(compiled.diagnostics),
                std::move(compiled.files)};
  if (!compiled.package) {
    run.measurement = compiled.package.error();
    return run;
  }
  LaunchOptions launch;
  launch.place = place;
  launch.dumpFolder = folders.dump;
  launch.inputFolder = folders.inputs;
  launch.measure = options.profile;
  launch.coldL2 = !options.warmL2;
  if (options.compare) {
    LaunchRun reference = interpret(worker, input, selection, {folders.inputs, scratch->path()});
    if (!reference.measurement)
      return reference;
    launch.referenceFolder = scratch->path();
    addFindings(run, reference);
  }
  run.measurement = runOnGpu(*compiled.package, launch);
  return run;
}

/// What was measured, or why nothing was; and what there is to say about the source.
static json launchJson(const LaunchRun &run) {
  json object = run.measurement ? profiler::measurementToJson(*run.measurement) : json::object();
  object["ok"] = run.ok();
  if (!run.measurement && !run.measurement.error().message.empty()) {
    object["error"] = run.measurement.error().message;
    object["hint"] = run.measurement.error().hint;
  }
  object["diagnostics"] = json::array();
  for (const compiler::Diagnostic &diagnostic : run.diagnostics)
    object["diagnostics"].push_back(diagnosticJson(diagnostic, run.files));
  return object;
}

static void printMeasurement(const Measurement &measurement) {
  std::fputs(profiler::printable(profiler::describeMeasurement(measurement)).c_str(), stdout);
}

/// Runs every launch of the file in one worker; the others go on when one fails.
static int runAllLaunches(const InputFile &input, const RunOptions &options,
                          const compiler::Selection &selection, const RunPlace &place) {
  const auto inside = [](const std::string &folder, const std::string &name) {
    return folder.empty() ? folder : folder + "/" + name;
  };
  const Result<std::vector<std::string>> names = allLaunches(input);
  if (!names)
    return reportError(names.error(), options.json);
  compiler::WorkerClient worker(workerOptions());
  json launches = json::array();
  bool ok = true;
  for (const std::string &name : *names) {
    compiler::Selection chosen = selection;
    chosen.launch = name;
    const LaunchRun run =
        runLaunch(worker, input, options, chosen, place,
                  {inside(options.inputFolder, name), inside(options.dumpFolder, name)});
    ok = ok && run.ok();
    if (options.json) {
      launches.push_back(launchJson(run));
      launches.back()["launch"] = name;
      continue;
    }
    std::printf("==== %s ====\n", name.c_str());
    std::fflush(stdout);
    printDiagnostics(run.diagnostics, run.files);
    if (run.measurement)
      printMeasurement(*run.measurement);
    else if (!run.measurement.error().message.empty())
      reportError(run.measurement.error());
  }
  if (options.json)
    printJson({{"ok", ok}, {"launches", std::move(launches)}});
  return ok ? 0 : 1;
}

static int runOneLaunch(const InputFile &input, const RunOptions &options,
                        const compiler::Selection &selection, const RunPlace &place) {
  compiler::WorkerClient worker(workerOptions());
  const LaunchRun run = runLaunch(worker, input, options, selection, place,
                                  {options.inputFolder, options.dumpFolder});
  printDiagnostics(run.diagnostics, run.files);
  if (options.json)
    printJson(launchJson(run));
  if (!run.measurement)
    return run.measurement.error().message.empty() ? 1 : reportError(run.measurement.error());
  if (!options.json)
    printMeasurement(*run.measurement);
  return run.ok() ? 0 : 1;
}

int runRun(const RunOptions &options) {
  const Result<RunSelection> run = toRunSelection(options.selection, options.where);
  if (!run)
    return reportError(run.error(), options.json);
  if (options.profile && run->place.kind == RunPlace::Kind::Cpu)
    return reportError({ErrorCode::Environment, "there is no GPU to profile on",
                        "an NVIDIA GPU with its driver provides one, here or behind "
                        "`--on ssh://host`"},
                       options.json);
  if (!options.inputFolder.empty())
    if (Status status = profiler::requireFolder(options.inputFolder, "--inputs"))
      return reportError(*status, options.json);
  Result<InputFile> input = readInput(options.file, run->selection.kernel);
  if (!input)
    return reportError(input.error(), options.json);
  if (!options.source.empty())
    input->path = options.source;
  return options.allLaunches ? runAllLaunches(*input, options, run->selection, run->place)
                             : runOneLaunch(*input, options, run->selection, run->place);
}

} // namespace tilescope::app
