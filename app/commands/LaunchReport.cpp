// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LaunchReport.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/InspectPlanned.h"
#include "app/commands/MakePackage.h"
#include "app/commands/PredictLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "app/commands/TracedPackage.h"
#include "app/commands/WriteReport.h"
#include "app/report/BuildReport.h"
#include "app/report/SampleLines.h"
#include "compiler/artifacts/EstimateText.h"
#include "compiler/artifacts/RunFindings.h"
#include "profiler/report/Differences.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

namespace tilescope::app {

/// Of what a kernel prints while a report is made.
static constexpr size_t kLinesShown = 32;

using Clock = std::chrono::steady_clock;

/// The first lines of what a kernel printed, and how many there are beyond them.
static void printBeginning(const std::vector<compiler::InterpreterPrint> &prints) {
  size_t numLines = 0;
  for (const compiler::InterpreterPrint &print : prints)
    for (size_t begin = 0; begin < print.text.size(); ++numLines) {
      const size_t end = std::min(print.text.find('\n', begin), print.text.size() - 1) + 1;
      if (numLines < kLinesShown)
        std::fwrite(print.text.data() + begin, 1, end - begin, stderr);
      begin = end;
    }
  if (numLines > kLinesShown)
    std::fprintf(stderr, "note: %zu more lines were printed; `tilescope run` shows all\n",
                 numLines - kLinesShown);
}

static void tell(const ReportHooks &hooks, std::string_view part) {
  if (hooks.part)
    hooks.part(part);
}

/// Takes what a run found; a launch block's faults are known from the compilation.
static void addFindings(const LaunchRun &run, compiler::CompileResult &result) {
  for (const compiler::Diagnostic &finding : run.diagnostics)
    if (std::ranges::find(result.diagnostics, finding) == result.diagnostics.end())
      result.diagnostics.push_back(finding);
  if (result.files.size() < run.files.size())
    result.files = run.files;
}

/// Runs the kernel in the interpreter, which writes to `folder`, and compares with what the launch
/// block expects. Returns what its kernel rounds; the error is that it was stopped.
static Result<std::vector<compiler::RoundingFacts>> addCpuRun(compiler::WorkerClient &worker,
                                                              LaunchRequest request,
                                                              const ReportHooks &report,
                                                              ReportInputs &inputs) {
  LaunchHooks hooks;
  hooks.runner.stop = report.stop;
  hooks.programsDone = report.programsDone;
  const Clock::time_point start = Clock::now();
  const LaunchRun run = runLaunch(worker, request, hooks);
  if (!run.measurement && run.measurement.error().code == ErrorCode::Cancelled)
    return run.measurement.error();
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (report.showsPrints)
    printBeginning(run.prints);
  profiler::ReportCpuRun shown;
  shown.ok = run.measurement && !hasErrors(run.diagnostics);
  shown.hasRaces = compiler::hasRaces(run.diagnostics);
  // As Run states it: without starting the worker and writing the outputs.
  shown.ms =
      run.measurement && run.measurement->timeUs ? run.measurement->timeUs->median / 1000 : ms;
  shown.programs =
      static_cast<uint64_t>(inputs.plan->grid[0] * inputs.plan->grid[1] * inputs.plan->grid[2]);
  shown.outputs = reportOutputs(*inputs.plan, request.dumpFolder);
  if (run.measurement)
    for (profiler::ReportOutput &output : shown.outputs) {
      const auto found =
          std::ranges::find(run.measurement->outputs, output.name, &profiler::OutputResult::name);
      if (found != run.measurement->outputs.end())
        output.comparison = found->comparison;
    }
  inputs.cpuRun = std::move(shown);
  addFindings(run, inputs.result);
  return run.roundings;
}

/// An output of the GPU that differs from the interpreter's.
static compiler::Diagnostic gpuDifference(const profiler::OutputResult &output) {
  compiler::Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::RunMismatch;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.cause.subject = output.name;
  diagnostic.message = "on the GPU, `" + output.name + "` differs from the interpreter: " +
                       profiler::describeDifference(*output.comparison);
  return diagnostic;
}

/// Runs the kernel on the GPU. The error is that it was stopped; others are said in the report.
static Status addGpuRun(compiler::WorkerClient &worker, const CompiledFile &file,
                        const LaunchRequest &request, LaunchOptions options,
                        const std::stop_token &stop, ReportInputs &inputs) {
  const Result<profiler::KernelPackage> package = makePackage(file);
  if (!package) {
    inputs.measurementMissing = package.error().message;
    return {};
  }
  const Status traced =
      options.profile.trace
          ? addTraced(worker, {request.input, request.selection, request.trace, *package}, stop,
                      options)
          : Status();
  RunnerHooks hooks;
  hooks.stop = stop;
  Result<profiler::Measurement> measurement = runOnGpu(*package, options, hooks);
  if (!measurement && measurement.error().code == ErrorCode::Cancelled)
    return measurement.error();
  if (!measurement) {
    inputs.measurementMissing = measurement.error().message;
    return {};
  }
  if (!traced)
    addUntraced(traced.error(), *measurement);
  mapSamples(*measurement, file.result.stage(compiler::StageId::Sass), *package);
  for (const profiler::OutputResult &output : measurement->outputs)
    if (output.isWrong())
      inputs.result.diagnostics.push_back(gpuDifference(output));
  inputs.measurement = std::move(*measurement);
  return {};
}

/// Runs the kernel in the interpreter and, where there is one, on the GPU. The error is about the
/// environment.
static Status addRuns(compiler::WorkerClient &worker, const CompiledFile &file,
                      const LaunchRequest &request, const ReportHooks &hooks,
                      ReportInputs &inputs) {
  if (!file.plan) {
    inputs.measurementMissing = "the file has no launch block";
    return {};
  }
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  LaunchRequest onCpu = request;
  onCpu.place = {};
  onCpu.dumpFolder = folder->path();
  tell(hooks, "running in the interpreter");
  Result<std::vector<compiler::RoundingFacts>> roundings = addCpuRun(worker, onCpu, hooks, inputs);
  if (!roundings)
    return roundings.error();
  if (request.place.kind == RunPlace::Kind::Cpu) {
    inputs.measurementMissing = "no GPU was used";
    return {};
  }
  LaunchOptions options;
  options.place = request.place;
  options.timeLimit = request.timeLimit;
  options.profile = request.profile;
  options.referenceFolder = inputs.cpuRun->ok ? folder->path() : "";
  options.roundings = std::move(*roundings);
  tell(hooks, "measuring on the GPU");
  return addGpuRun(worker, file, request, options, hooks.stop, inputs);
}

/// Whether it compiled, and what ran did so without a fault and with the results that it should
/// have.
static bool isRight(const ReportInputs &inputs) {
  const auto isWrong = [](const profiler::ReportOutput &output) {
    return output.comparison && output.comparison->mismatches > 0;
  };
  if (!inputs.result.ok)
    return false;
  if (inputs.cpuRun && (!inputs.cpuRun->ok || std::ranges::any_of(inputs.cpuRun->outputs, isWrong)))
    return false;
  return !inputs.measurement ||
         std::ranges::none_of(inputs.measurement->outputs, &profiler::OutputResult::isWrong);
}

/// A report without them is a report.
static Status addPlanned(compiler::WorkerClient &worker, const CompiledFile &file,
                         const std::stop_token &stop, ReportInputs &inputs) {
  Result<compiler::InspectDoneReply> found = inspectPlanned(worker, file, stop);
  if (!found)
    return found.error();
  if (found->ok) {
    inputs.shared = std::move(found->shared);
    inputs.loops = std::move(found->loops);
  }
  return {};
}

/// Counts the accesses: of all programs, or where that takes long of the first one. What keeps them
/// from being counted is no fault of the report, which leaves them out.
static Status addMemory(compiler::WorkerClient &worker, const CompiledFile &file,
                        const std::stop_token &stop, ReportInputs &inputs,
                        compiler::Estimate &estimate) {
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
  message.wantsHints = true;
  const Result<compiler::InspectDoneReply> all = worker.inspect(message, stop);
  if (!all)
    return all.error();
  if (all->ok) {
    inputs.memory = all->facts;
    inputs.hints = all->hints;
    estimate = all->estimate;
  }
  return {};
}

/// Traces what programs touch: all of them, or where that takes long or much room every so many-th.
static Status addTouches(compiler::WorkerClient &worker, const CompiledFile &file,
                         const std::stop_token &stop, ReportInputs &inputs) {
  constexpr uint32_t kTimeLimitMs = 5000;
  constexpr uint64_t kThinner = 16, kThinnest = 4096;
  for (uint64_t stride = 1; stride <= kThinnest; stride *= kThinner) {
    compiler::InspectMessage message;
    message.request = file.request;
    message.launchPlan = profiler::launchPlanToJson(*file.plan);
    message.timeLimitMs = kTimeLimitMs;
    message.touches = compiler::ProgramSample{0, UINT64_MAX, stride};
    const Result<compiler::InspectDoneReply> traced = worker.inspect(message, stop);
    if (!traced)
      return traced.error();
    if (traced->ok && !traced->touches.isCut)
      inputs.touches = traced->touches;
    if (inputs.touches || !(traced->ok || traced->isOutOfTime))
      return {};
  }
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

/// What needs no run: accesses, shared memory, loops.
static Status addInspections(compiler::WorkerClient &worker, const CompiledFile &file,
                             const ReportHooks &hooks, ReportInputs &inputs,
                             compiler::Estimate &estimate) {
  if (file.plan) {
    tell(hooks, "counting the accesses");
    if (Status status = addMemory(worker, file, hooks.stop, inputs, estimate); !status)
      return status;
    tell(hooks, "tracing what programs touch");
    if (Status status = addTouches(worker, file, hooks.stop, inputs); !status)
      return status;
  }
  return addPlanned(worker, file, hooks.stop, inputs);
}

Result<ReportedLaunch> reportLaunch(compiler::WorkerClient &worker, const InputFile &input,
                                    const compiler::Selection &selection,
                                    const LaunchOptions &launch, const ReportHooks &hooks,
                                    const profiler::ProfileDocument *known) {
  CompileFileOptions options;
  options.stop = hooks.stop;
  Result<CompiledFile> file = compileInput(worker, input, selection, options);
  if (!file)
    return file.error();
  ReportInputs inputs;
  inputs.path = input.path;
  inputs.source = file->request.text;
  inputs.result = file->result;
  inputs.plan = file->plan;
  if (known)
    inputs.measurement = known->measurement;
  compiler::Estimate estimate;
  if (file->result.ok)
    if (Status status = addInspections(worker, *file, hooks, inputs, estimate); !status)
      return status.error();
  if (file->result.ok && !known) {
    LaunchRequest request;
    request.input = input;
    request.selection = selection;
    request.place = launch.place;
    request.timeLimit = launch.timeLimit;
    request.profile = launch.profile;
    request.trace = launch.trace;
    if (Status status = addRuns(worker, *file, request, hooks, inputs); !status)
      return status.error();
    if (inputs.measurement)
      notePrediction(estimate, *inputs.measurement);
    else if (estimate.isKnown())
      inputs.measurementMissing += "; predicted: " + estimateHeadline(estimate);
  }
  ReportedLaunch reported;
  reported.ok = isRight(inputs);
  reported.kernel = buildReportKernel(inputs);
  if (known) {
    reported.kernel.measuredAt = known->measuredAt;
    reported.kernel.machineCode = known->machineCode;
  }
  reported.diagnostics = std::move(inputs.result.diagnostics);
  reported.files = std::move(inputs.result.files);
  return reported;
}

profiler::ReportData beginReport(const std::string &title) {
  profiler::ReportData data;
  data.title = title;
  data.generator = "Tilescope " TILESCOPE_VERSION;
  data.created = reportTime();
  return data;
}

profiler::ReportData makeReport(compiler::WorkerClient &worker, const std::string &title) {
  profiler::ReportData data = beginReport(title);
  data.environment = environmentOf(worker);
  return data;
}

Status writeLaunchReport(compiler::WorkerClient &worker, const ReportRequest &request,
                         const ReportHooks &hooks) {
  if (Status status = checkReportName(request.output); !status)
    return status;
  LaunchOptions launch;
  launch.place = request.place;
  launch.profile = {profiler::CounterSet::Full, true};
  compiler::Selection selection = request.selection;
  if (selection.target.empty() && launch.place.kind != RunPlace::Kind::Cpu && !request.profile) {
    Result<std::string> target = targetAt(launch.place);
    if (!target)
      return target.error();
    selection.target = std::move(*target);
  }
  Result<ReportedLaunch> reported = reportLaunch(worker, request.input, selection, launch, hooks,
                                                 request.profile ? &*request.profile : nullptr);
  if (!reported)
    return reported.error();
  profiler::ReportData data =
      makeReport(worker, std::filesystem::path(request.input.path).stem().string());
  data.kernels.push_back(std::move(reported->kernel));
  return writeReport(data, request.output);
}

} // namespace tilescope::app
