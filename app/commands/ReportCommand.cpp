// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/LaunchReport.h"
#include "app/launch/ResolveLaunch.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

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
  if (names.size() > 1 && selection.launch.empty() && selection.kernel.empty()) {
    std::string others;
    for (size_t i = 1; i < names.size(); ++i)
      others += (i > 1 ? ", `" : "`") + names[i] + "`";
    std::fprintf(stderr, "%s: note: the report leaves out %s %s; `--all-launches` takes %s\n",
                 profiler::printableLine(input.path).c_str(),
                 names.size() == 2 ? "the launch" : "the launches",
                 profiler::printableLine(others).c_str(), names.size() == 2 ? "it" : "them");
  }
  return std::vector<std::string>{selection.launch};
}

int runReport(const ReportOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error());
  if (!profiler::isReportName(options.output))
    return reportError({ErrorCode::Usage,
                        "`" + options.output + "` does not name a known report format",
                        "reports end in .html, .json, .md or .csv"});
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  profiler::ReportData data =
      makeReport(worker, std::filesystem::path(options.files.front()).stem().string());
  bool ok = true;
  LaunchOptions launch;
  launch.place = run->place;
  launch.profile = options.profile;
  launch.timeLimit = options.timeLimit.value_or(launch.timeLimit);
  for (const std::string &path : options.files) {
    const Result<InputFile> input = readInput(path, run->selection.kernel);
    if (!input)
      return reportError(input.error());
    const Result<std::vector<std::string>> names = launchesOf(*input, options, run->selection);
    if (!names)
      return reportError(names.error());
    for (const std::string &name : *names) {
      compiler::Selection selection = run->selection;
      selection.launch = name;
      Result<ReportedLaunch> reported = reportLaunch(worker, *input, selection, launch);
      if (!reported)
        return reportError(reported.error());
      printDiagnostics(reported->diagnostics, reported->files);
      ok = ok && reported->ok;
      if (names->size() > 1)
        reported->kernel.launchesLeftOut.clear();
      data.kernels.push_back(std::move(reported->kernel));
    }
  }
  if (Status status =
          profiler::writeFile(options.output, profiler::renderReport(data, options.output));
      !status)
    return reportError(status.error());
  return ok ? 0 : 1;
}

} // namespace tilescope::app
