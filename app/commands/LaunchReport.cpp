// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LaunchReport.h"

#include "app/commands/MakePackage.h"
#include "app/commands/OutputChecks.h"
#include "app/commands/TemporaryFolder.h"
#include "app/report/BuildReport.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// Compares the outputs with what the launch block expects.
static void addChecks(profiler::Measurement measurement, const ExpectedSources &sources,
                      const std::stop_token &stop, profiler::ReportCpuRun &run) {
  compareWithExpected(measurement, sources, {}, stop);
  for (profiler::ReportOutput &output : run.outputs) {
    const auto found =
        std::ranges::find(measurement.outputs, output.name, &profiler::OutputResult::name);
    if (found != measurement.outputs.end())
      output.comparison = found->comparison;
  }
}

/// Runs the kernel in the interpreter and, where there is one, on the GPU. The error is about the
/// environment.
static Status addRuns(compiler::WorkerClient &worker, CompiledFile &file,
                      const LaunchOptions &launch, const std::stop_token &stop,
                      ReportInputs &inputs) {
  if (!file.plan) {
    inputs.measurementMissing = "the file has no launch block";
    return {};
  }
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  CompiledFile interpreted{file.request, {}, file.plan};
  const Clock::time_point start = Clock::now();
  const Result<profiler::Measurement> onCpu =
      runOnCpu(worker, interpreted, folder->path(), {}, stop);
  if (!onCpu && onCpu.error().code == ErrorCode::Cancelled)
    return onCpu.error();
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  profiler::ReportCpuRun run;
  run.ok = onCpu && interpreted.result.ok;
  // As Run states it: without starting the worker and writing the outputs.
  run.ms = onCpu && onCpu->timeUs ? onCpu->timeUs->median / 1000 : ms;
  run.programs =
      static_cast<uint64_t>(file.plan->grid[0] * file.plan->grid[1] * file.plan->grid[2]);
  run.outputs = reportOutputs(*file.plan, folder->path());
  if (onCpu)
    addChecks(*onCpu, {*file.plan, inputs.path, ""}, stop, run);
  inputs.cpuRun = run;
  inputs.result.diagnostics.insert(inputs.result.diagnostics.end(),
                                   interpreted.result.diagnostics.begin(),
                                   interpreted.result.diagnostics.end());
  if (launch.place.kind == RunPlace::Kind::Cpu) {
    inputs.measurementMissing = "no GPU was used";
    return {};
  }
  const Result<profiler::KernelPackage> package = makePackage(file);
  if (!package) {
    inputs.measurementMissing = package.error().message;
    return {};
  }
  RunnerHooks hooks;
  hooks.stop = stop;
  LaunchOptions options = launch;
  options.referenceFolder = run.ok ? folder->path() : "";
  Result<profiler::Measurement> measurement = runOnGpu(*package, options, hooks);
  if (!measurement && measurement.error().code == ErrorCode::Cancelled)
    return measurement.error();
  if (measurement)
    inputs.measurement = std::move(*measurement);
  else
    inputs.measurementMissing = measurement.error().message;
  return {};
}

/// Counts the accesses: of all programs, or where that takes long of the first one. What keeps them
/// from being counted is no fault of the report, which leaves them out.
static Status addMemory(compiler::WorkerClient &worker, const CompiledFile &file,
                        const std::stop_token &stop, ReportInputs &inputs) {
  constexpr uint32_t kTimeLimitMs = 20000;
  compiler::InspectMessage message;
  message.request = file.request;
  message.launchPlan = profiler::launchPlanToJson(*file.plan);
  message.timeLimitMs = kTimeLimitMs;
  message.program = std::array<int32_t, 3>{};
  message.record = compiler::RecordRequest{};
  const Result<compiler::InspectDoneReply> first = worker.inspect(message, stop);
  if (!first)
    return first.error();
  if (!first->ok)
    return {};
  inputs.memory = first->facts;
  inputs.record = first->record;
  message.program.reset();
  message.record.reset();
  const Result<compiler::InspectDoneReply> all = worker.inspect(message, stop);
  if (!all)
    return all.error();
  if (all->ok)
    inputs.memory = all->facts;
  return {};
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

Result<ReportedLaunch> reportLaunch(compiler::WorkerClient &worker, const InputFile &input,
                                    const compiler::Selection &selection,
                                    const LaunchOptions &launch, const std::stop_token &stop) {
  CompileFileOptions options;
  options.stop = stop;
  Result<CompiledFile> file = compileInput(worker, input, selection, options);
  if (!file)
    return file.error();
  ReportInputs inputs;
  inputs.path = input.path;
  inputs.source = file->request.text;
  inputs.result = file->result;
  inputs.plan = file->plan;
  if (file->result.ok && file->plan)
    if (Status status = addMemory(worker, *file, stop, inputs); !status)
      return status.error();
  if (file->result.ok)
    if (Status status = addRuns(worker, *file, launch, stop, inputs); !status)
      return status.error();
  ReportedLaunch reported;
  reported.ok = file->result.ok && (!inputs.cpuRun || inputs.cpuRun->ok);
  reported.kernel = buildReportKernel(inputs);
  reported.diagnostics = std::move(inputs.result.diagnostics);
  reported.files = std::move(inputs.result.files);
  return reported;
}

profiler::ReportData makeReport(compiler::WorkerClient &worker, const std::string &title) {
  profiler::ReportData data;
  data.title = title;
  data.generator = "Tilescope " TILESCOPE_VERSION;
  data.created = reportTime();
  data.environment = environmentOf(worker);
  return data;
}

Status writeLaunchReport(compiler::WorkerClient &worker, const ReportRequest &request,
                         const std::stop_token &stop) {
  if (!profiler::isReportName(request.output))
    return Error{ErrorCode::Usage, "`" + request.output + "` does not name a known report format",
                 "reports end in .html, .json, .md or .csv"};
  LaunchOptions launch;
  launch.place = request.place;
  compiler::Selection selection = request.selection;
  if (selection.target.empty() && launch.place.kind != RunPlace::Kind::Cpu) {
    Result<std::string> target = targetAt(launch.place);
    if (!target)
      return target.error();
    selection.target = std::move(*target);
  }
  Result<ReportedLaunch> reported = reportLaunch(worker, request.input, selection, launch, stop);
  if (!reported)
    return reported.error();
  profiler::ReportData data =
      makeReport(worker, std::filesystem::path(request.input.path).stem().string());
  data.kernels.push_back(std::move(reported->kernel));
  return profiler::writeFile(request.output, profiler::renderReport(data, request.output));
}

} // namespace tilescope::app
