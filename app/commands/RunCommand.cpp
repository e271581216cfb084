// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ExecutorOptions.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SlowRun.h"
#include "app/commands/TellHooks.h"
#include "compiler/artifacts/RunFindings.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/ProfileDocument.h"
#include "profiler/data/Text.h"
#include "profiler/runner/TextOutput.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;
using profiler::Measurement;

/// Where the tensors of one launch lie.
struct RunFolders {
  std::string inputs;
  std::string dump;
};

/// A run that was to be compared with what is expected, and was not, is no success: a warning while the
/// block is written is an error here. A profile is taken for its times.
static void refuseUnchecked(LaunchRun &run) {
  for (compiler::Diagnostic &each : run.diagnostics) {
    const bool isUnchecked =
        each.kind == compiler::DiagnosticKind::LaunchBlockInvalid &&
        std::ranges::any_of(run.measurement->outputs, [&](const profiler::OutputResult &output) {
          return output.isUnchecked() && output.name == each.cause.subject;
        });
    if (isUnchecked)
      each.severity = compiler::Severity::Error;
  }
}

static LaunchRun runLaunch(compiler::WorkerClient &worker, const InputFile &input,
                           const RunOptions &options, const compiler::Selection &selection,
                           const RunPlace &place, const RunFolders &folders) {
  LaunchRequest request;
  request.input = input;
  request.selection = selection;
  request.place = place;
  request.dumpFolder = folders.dump;
  request.inputFolder = folders.inputs;
  request.compare = options.compare;
  request.executor = executorOf(options.executor, {selection, place});
  request.checksBounds = options.executor.checked;
  request.isExact = options.executor.exact;
  request.keepsCode = !options.executor.noCache;
  request.explainsExecutor = options.executor.native;
  request.programLimit = options.timeLimit;
  request.measure = request.isProfile = options.profile;
  request.profile = options.wishes;
  request.trace = options.trace;
  request.coldL2 = !options.warmL2;
  request.timeLimit = options.timeLimit.value_or(request.timeLimit);
  LaunchHooks hooks;
  hooks.runner = tellingHooks();
  if (isatty(STDERR_FILENO) != 0)
    hooks.programsDone = [slow = SlowRun(options.timeLimit)](uint64_t done,
                                                             uint64_t total) mutable {
      if (const std::string said = slow.take(done, total, SlowRun::Clock::now()); !said.empty())
        std::fprintf(stderr, "note: %s\n", said.c_str());
    };
  LaunchRun run = runLaunch(worker, request, hooks);
  if (run.measurement && !options.profile)
    refuseUnchecked(run);
  // The device prints itself.
  if (place.kind == RunPlace::Kind::Cpu)
    for (const compiler::InterpreterPrint &print : run.prints)
      std::fputs(print.text.c_str(), stderr);
  return run;
}

/// What was measured, or why nothing was; and what there is to say about the source.
static json launchJson(const LaunchRun &run, const InputFile &input, bool isProfile) {
  json object = run.measurement ? profiler::measurementToJson(*run.measurement) : json::object();
  if (isProfile) {
    profiler::ProfileDocument profile;
    profile.sourcePath = input.path;
    profile.sourceText = input.text;
    profile.measuredAt = profiler::utcNow();
    profile.machineCode = run.machineCode;
    addProfileFields(object, profile);
  }
  object["ok"] = run.ok();
  object["races"] = compiler::hasRaces(run.diagnostics);
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
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
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
      launches.push_back(launchJson(run, input, options.profile));
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

/// Says on standard error which launches of the file were not run.
static void printLeftOut(const std::string &path, const std::vector<std::string> &launches) {
  if (launches.empty())
    return;
  std::string names;
  for (const std::string &launch : launches)
    names += (names.empty() ? "`" : ", `") + launch + "`";
  const bool isOne = launches.size() == 1;
  std::fprintf(stderr, "%s: note: %s %s not run; `--launch %s` runs %s, `--all-launches` all\n",
               profiler::printableLine(path).c_str(),
               profiler::printableLine((isOne ? "the launch " : "the launches ") + names).c_str(),
               isOne ? "was" : "were",
               profiler::printableLine(isOne ? launches.front() : "NAME").c_str(),
               isOne ? "it" : "one");
}

static int runOneLaunch(const InputFile &input, const RunOptions &options,
                        const compiler::Selection &selection, const RunPlace &place) {
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const LaunchRun run = runLaunch(worker, input, options, selection, place,
                                  {options.inputFolder, options.dumpFolder});
  const std::vector<std::string> leftOut = launchesLeftOut(input, selection);
  printDiagnostics(run.diagnostics, run.files);
  if (options.json) {
    json document = launchJson(run, input, options.profile);
    if (!leftOut.empty())
      document["launches_left_out"] = leftOut;
    printJson(document);
  } else if (run.measurement) {
    printMeasurement(*run.measurement);
    std::fflush(stdout);
  }
  printLeftOut(input.path, leftOut);
  if (!run.measurement)
    return run.measurement.error().message.empty() ? 1 : reportError(run.measurement.error());
  return run.ok() ? 0 : 1;
}

int runRun(const RunOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error(), options.json);
  if (const Status status = checkExecutor(options.executor, *run); !status)
    return reportError(status.error(), options.json);
  if (!options.inputFolder.empty())
    if (Status status = profiler::requireFolder(options.inputFolder, "--inputs"); !status)
      return reportError(status.error(), options.json);
  Result<InputFile> input = readInput(options.file, run->selection.kernel);
  if (!input)
    return reportError(input.error(), options.json);
  if (options.profile && run->place.kind == RunPlace::Kind::Cpu)
    return reportError(withoutGpu(options.where, "profile"), options.json);
  if (!options.source.empty())
    input->path = options.source;
  return options.allLaunches ? runAllLaunches(*input, options, run->selection, run->place)
                             : runOneLaunch(*input, options, run->selection, run->place);
}

} // namespace tilescope::app
