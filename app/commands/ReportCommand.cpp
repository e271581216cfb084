// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "app/report/BuildReport.h"
#include "profiler/data/FileIo.h"

#include <chrono>
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
    Result<CompiledFile> file = compileFile(worker, path, run->selection, {});
    if (!file)
      return reportError(file.error());
    ReportInputs inputs;
    inputs.path = path;
    inputs.source = file->request.text;
    inputs.result = file->result;
    inputs.plan = file->plan;
    if (file->result.ok)
      if (Status status = addRuns(worker, *file, launch, inputs))
        return reportError(*status);
    ok = ok && file->result.ok && (!inputs.cpuRun || inputs.cpuRun->ok);
    printDiagnostics(inputs.result.diagnostics, inputs.result.files);
    data.kernels.push_back(buildReportKernel(inputs));
  }
  data.environment = environmentOf(worker);
  if (Status status =
          profiler::writeFile(options.output, profiler::renderReport(data, options.output)))
    return reportError(*status);
  return ok ? 0 : 1;
}

} // namespace tilescope::app
