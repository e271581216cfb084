// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "app/launch/ResolveLaunch.h"
#include "app/report/BuildReport.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// Runs the kernel in the interpreter and, where there is one, on the GPU. The error is about the
/// environment.
static Status addRuns(compiler::WorkerClient &worker, CompiledFile &file,
                      const LaunchOptions &launch, ReportInputs &inputs) {
  if (!file.plan) {
    inputs.measurementMissing = "the file has no launch block";
    return std::nullopt;
  }
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  CompiledFile interpreted{file.request, {}, file.plan};
  const Clock::time_point start = Clock::now();
  const Result<profiler::Measurement> onCpu = runOnCpu(worker, interpreted, folder->path());
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  profiler::ReportCpuRun run;
  run.ok = onCpu && interpreted.result.ok;
  run.ms = ms;
  run.programs =
      static_cast<uint64_t>(file.plan->grid[0] * file.plan->grid[1] * file.plan->grid[2]);
  run.outputs = reportOutputs(*file.plan, folder->path());
  inputs.cpuRun = run;
  inputs.result.diagnostics.insert(inputs.result.diagnostics.end(),
                                   interpreted.result.diagnostics.begin(),
                                   interpreted.result.diagnostics.end());
  if (launch.place.kind == RunPlace::Kind::Cpu) {
    inputs.measurementMissing = "no GPU was used";
    return std::nullopt;
  }
  const Result<profiler::KernelPackage> package = makePackage(file);
  if (!package) {
    inputs.measurementMissing = package.error().message;
    return std::nullopt;
  }
  LaunchOptions options = launch;
  options.referenceFolder = run.ok ? folder->path() : "";
  Result<profiler::Measurement> measurement = runOnGpu(*package, options);
  if (measurement)
    inputs.measurement = std::move(*measurement);
  else
    inputs.measurementMissing = measurement.error().message;
  return std::nullopt;
}

static std::vector<profiler::NamedText> environmentOf(compiler::WorkerClient &worker) {
  std::vector<profiler::NamedText> environment = hostEnvironment();
  const Result<compiler::HelloReply> hello = worker.hello();
  if (!hello)
    return environment;
  environment.emplace_back("LLVM", hello->llvmVersion);
  for (const compiler::ToolInfo &tool : hello->tools)
    environment.emplace_back(tool.name,
                             tool.path.empty() ? "not found" : tool.path + " " + tool.version);
  return environment;
}

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

/// Compiles and runs one launch. The error is about the environment; `ok` becomes false when the
/// kernel is at fault.
static Result<profiler::ReportKernel> reportLaunch(compiler::WorkerClient &worker,
                                                   const InputFile &input,
                                                   const compiler::Selection &selection,
                                                   const LaunchOptions &launch, bool &ok) {
  Result<CompiledFile> file = compileInput(worker, input, selection, {});
  if (!file)
    return file.error();
  ReportInputs inputs;
  inputs.path = input.path;
  inputs.source = file->request.text;
  inputs.result = file->result;
  inputs.plan = file->plan;
  if (file->result.ok)
    if (Status status = addRuns(worker, *file, launch, inputs))
      return *status;
  ok = ok && file->result.ok && (!inputs.cpuRun || inputs.cpuRun->ok);
  printDiagnostics(inputs.result.diagnostics, inputs.result.files);
  return buildReportKernel(inputs);
}

int runReport(const ReportOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error());
  if (!profiler::isReportName(options.output))
    return reportError({ErrorCode::Usage, "`" + options.output + "` is of no known form",
                        "reports end in .html, .json, .md or .csv"});
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  profiler::ReportData data;
  data.title = std::filesystem::path(options.files.front()).stem().string();
  data.generator = "Tilescope " TILESCOPE_VERSION;
  data.created = reportTime();
  bool ok = true;
  LaunchOptions launch;
  launch.place = run->place;
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
      Result<profiler::ReportKernel> kernel = reportLaunch(worker, *input, selection, launch, ok);
      if (!kernel)
        return reportError(kernel.error());
      data.kernels.push_back(std::move(*kernel));
    }
  }
  data.environment = environmentOf(worker);
  if (Status status =
          profiler::writeFile(options.output, profiler::renderReport(data, options.output)))
    return reportError(*status);
  return ok ? 0 : 1;
}

} // namespace tilescope::app
