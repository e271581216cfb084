// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/LaunchReport.h"
#include "app/commands/WriteReport.h"
#include "app/exchange/RecordedFile.h"
#include "app/launch/ResolveLaunch.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace tilescope::app {

/// The launches of a file that the report shows: an empty name stands for what the options choose.
/// Says on standard error which are left out.
static Result<std::vector<std::string>> launchesOf(const InputFile &input,
                                                   const ReportOptions &options,
                                                   const compiler::Selection &selection) {
  const std::vector<std::string> names = launchNames(input.text);
  if (options.allLaunches && !names.empty())
    return allLaunches(input);
  if (const std::vector<std::string> leftOut = launchesLeftOut(input, selection);
      !leftOut.empty()) {
    std::string others;
    for (const std::string &launch : leftOut)
      others += (others.empty() ? "`" : ", `") + launch + "`";
    const bool isOne = leftOut.size() == 1;
    std::fprintf(stderr, "%s: note: the report leaves out %s %s; `--all-launches` takes %s\n",
                 profiler::printableLine(input.path).c_str(), isOne ? "the launch" : "the launches",
                 profiler::printableLine(others).c_str(), isOne ? "it" : "them");
  }
  return std::vector<std::string>{selection.launch};
}

/// Compiles and runs what the options choose of a file. False: something was wrong with it.
static Result<bool> addLaunches(compiler::WorkerClient &worker, const std::string &path,
                                const ReportOptions &options, const RunSelection &run,
                                profiler::ReportData &data) {
  const Result<InputFile> input = readInput(path, run.selection.kernel);
  if (!input)
    return input.error();
  const Result<std::vector<std::string>> names = launchesOf(*input, options, run.selection);
  if (!names)
    return names.error();
  LaunchOptions launch;
  launch.place = run.place;
  launch.profile = options.profile;
  launch.trace = options.trace;
  launch.timeLimit = options.timeLimit.value_or(launch.timeLimit);
  bool ok = true;
  for (const std::string &name : *names) {
    compiler::Selection selection = run.selection;
    selection.launch = name;
    Result<ReportedLaunch> reported = reportLaunch(worker, *input, selection, launch);
    if (!reported)
      return reported.error();
    printDiagnostics(reported->diagnostics, reported->files);
    ok = ok && reported->ok;
    if (names->size() > 1)
      reported->kernel.launchesLeftOut.clear();
    data.kernels.push_back(std::move(reported->kernel));
  }
  return ok;
}

namespace {
/// The files in their order: what is recorded, and what is to be compiled.
struct ReportParts {
  std::vector<std::optional<profiler::Recording>> recordings;

  bool isAllRecorded() const {
    return std::ranges::all_of(recordings, &std::optional<profiler::Recording>::has_value);
  }
  /// One report is written in another form: it stays what it says of itself.
  bool isOneReport() const {
    return recordings.size() == 1 && isAllRecorded() &&
           recordings[0]->kind == profiler::RecordingKind::Report;
  }
};
} // namespace

/// Of a recording, the launch that is named.
static Status keepLaunch(const std::string &path, const std::string &launch,
                         profiler::Recording &recording) {
  if (launch.empty())
    return {};
  std::string known;
  const auto nameOf = [](const profiler::ReportKernel &kernel) {
    return kernel.plan ? kernel.plan->name : kernel.launchTitle;
  };
  for (const profiler::ReportKernel &kernel : recording.data.kernels)
    if (const std::string name = nameOf(kernel); !name.empty())
      known += (known.empty() ? "`" : ", `") + name + "`";
  std::erase_if(recording.data.kernels,
                [&](const profiler::ReportKernel &kernel) { return nameOf(kernel) != launch; });
  if (!recording.data.kernels.empty())
    return {};
  return Error{ErrorCode::InvalidInput, "`" + path + "` has no launch `" + launch + "`",
               known.empty() ? "its launches have no names" : "it has " + known};
}

static Result<ReportParts> readParts(const ReportOptions &options) {
  ReportParts parts;
  for (const std::string &path : options.files) {
    Result<std::optional<profiler::Recording>> recording = readRecordedFile(path);
    if (!recording)
      return recording.error();
    if (*recording)
      if (Status status = keepLaunch(path, options.selection.launch, **recording); !status)
        return status.error();
    parts.recordings.push_back(std::move(*recording));
  }
  return parts;
}

/// `i8`, `i8 and xent`, `i8 and 2 others`: files of one name count once.
static std::string reportTitle(const std::vector<std::string> &files) {
  std::vector<std::string> names;
  for (const std::string &file : files)
    if (std::string name = std::filesystem::path(file).stem().string();
        std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  if (names.size() == 1)
    return names.front();
  return names.front() + " and " +
         (names.size() == 2 ? names.back() : std::to_string(names.size() - 1) + " others");
}

/// Of recordings alone: no worker is started.
static profiler::ReportData recordedReport(ReportParts parts, const std::string &title) {
  if (parts.isOneReport())
    return std::move(parts.recordings[0]->data);
  profiler::ReportData data = beginReport(title);
  for (std::optional<profiler::Recording> &recording : parts.recordings)
    std::ranges::move(recording->data.kernels, std::back_inserter(data.kernels));
  return data;
}

/// False: something was wrong with a launch.
static Result<bool> makeParts(ReportParts parts, const ReportOptions &options,
                              const std::string &title, profiler::ReportData &data) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return run.error();
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  data = makeReport(worker, title);
  bool ok = true;
  for (size_t i = 0; i < parts.recordings.size(); ++i) {
    if (parts.recordings[i]) {
      std::ranges::move(parts.recordings[i]->data.kernels, std::back_inserter(data.kernels));
      continue;
    }
    const Result<bool> isRight = addLaunches(worker, options.files[i], options, *run, data);
    if (!isRight)
      return isRight.error();
    ok = ok && *isRight;
  }
  return ok;
}

int runReport(const ReportOptions &options) {
  if (Status status = checkReportName(options.output); !status)
    return reportError(status.error());
  Result<ReportParts> parts = readParts(options);
  if (!parts)
    return reportError(parts.error());
  const std::string title = reportTitle(options.files);
  profiler::ReportData data;
  Result<bool> isRight = true;
  if (parts->isAllRecorded())
    data = recordedReport(std::move(*parts), title);
  else
    isRight = makeParts(std::move(*parts), options, title, data);
  if (!isRight)
    return reportError(isRight.error());
  if (options.compare && data.kernels.size() != 2)
    return reportError({ErrorCode::Usage,
                        "`--compare` takes two launches, and these files have " +
                            std::to_string(data.kernels.size()),
                        "name two files, or one file of which `--all-launches` takes two"});
  data.isComparison = options.compare || (data.isComparison && data.kernels.size() == 2);
  if (Status status = writeReport(data, options.output); !status)
    return reportError(status.error());
  return *isRight ? 0 : 1;
}

} // namespace tilescope::app
