// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InterpreterRun.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/data/Tensor.h"

namespace tilescope::app {

using profiler::Measurement;
using profiler::OutputResult;

Result<compiler::RunDoneReply>
interpret(compiler::WorkerClient &worker, const compiler::CompileRequest &request,
          const profiler::LaunchPlan &plan, const InterpreterRun &run,
          const ProgramsDone &programsDone, const std::stop_token &stop) {
  compiler::InterpretMessage message;
  message.request = request;
  message.launchPlan = profiler::launchPlanToJson(plan);
  message.outputFolder = run.outputFolder;
  message.inputFolder = run.inputFolder;
  message.watches = run.watches;
  message.onlyRoundings = run.onlyRoundings;
  message.widensFloats = run.widensFloats;
  message.executor = run.executor;
  message.checksBounds = run.checksBounds;
  message.isExact = run.isExact;
  message.keepsCode = run.keepsCode;
  if (run.programLimit)
    message.maxProgramNs = static_cast<int64_t>(*run.programLimit * 1e9);
  message.repeats = run.repeats;
  const auto progress = [&](const compiler::RunProgressReply &state) {
    if (programsDone)
      programsDone(state.programsDone, state.programsTotal);
  };
  return worker.interpret(std::move(message), progress, stop);
}

static OutputResult toOutput(const compiler::RunOutput &output, bool beganEmpty) {
  OutputResult result;
  result.name = output.name;
  result.dtype = output.dtype;
  result.shape = output.shape;
  result.changed = output.changed;
  result.path = output.path;
  if (beganEmpty)
    result.neverWritten = output.numUnwritten;
  if (output.numUnwritten > 0)
    result.firstNeverWritten = profiler::elementCoordinates(output.firstUnwritten, output.shape);
  return result;
}

static constexpr std::string_view kNativeCode = "CPU (native code";

std::string interpretedNote(const std::string &why) {
  return "the interpreter executed the kernel, not native code: " + why;
}

bool isNativeRun(const Measurement &measurement) {
  return measurement.device.name.starts_with(kNativeCode);
}

static profiler::CpuExecution executionOf(const compiler::RunDoneReply &done,
                                          const InterpreterRun &run) {
  constexpr double kNsPerUs = 1000;
  profiler::CpuExecution execution;
  execution.isNative = done.isNative;
  execution.isChecked =
      done.isNative && (run.checksBounds || run.executor == compiler::CpuExecutor::Native);
  execution.compileUs = static_cast<double>(done.compileDurationNs) / kNsPerUs;
  execution.interpretedPrograms = static_cast<int64_t>(done.sampledPrograms);
  execution.interpretedUs = static_cast<double>(done.sampleDurationNs) / kNsPerUs;
  execution.whyInterpreted = done.whyInterpreted;
  return execution;
}

/// What executed the programs.
static std::string executorName(const profiler::CpuExecution &execution) {
  if (!execution.isNative)
    return "CPU (interpreter)";
  return std::string(kNativeCode) + (execution.isChecked ? ", checked)" : ")");
}

Measurement toMeasurement(const compiler::RunDoneReply &done,
                          const compiler::CompileRequest &request, const profiler::LaunchPlan &plan,
                          const InterpreterRun &run) {
  Measurement measurement;
  measurement.execution = executionOf(done, run);
  measurement.device.name = executorName(*measurement.execution);
  measurement.kernel = plan.kernel.empty() ? request.selection.kernel : plan.kernel;
  measurement.grid = plan.grid;
  measurement.launches = 1;
  if (done.ok) {
    std::vector<double> samples;
    for (const int64_t durationNs : done.repeatNs)
      samples.push_back(static_cast<double>(durationNs) / 1000);
    if (samples.empty())
      samples.push_back(static_cast<double>(done.durationNs) / 1000);
    measurement.timeUs = profiler::timeStats(std::move(samples));
    measurement.timeSource = profiler::TimeSource::Interpreter;
  }
  if (run.explainsExecutor && !done.whyInterpreted.empty())
    measurement.notes.push_back(interpretedNote(done.whyInterpreted));
  measurement.bytes = plan.bytes;
  measurement.flops = plan.flops;
  for (const compiler::RunOutput &output : done.outputs) {
    const profiler::PlanArgument *argument = plan.argument(output.name);
    const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    measurement.outputs.push_back(
        toOutput(output, done.countsUnwritten && tensor &&
                             tensor->init.kind == profiler::TensorInit::Kind::Poison));
    measurement.outputs.back().isShapeGuess = tensor && tensor->isGuess;
    measurement.outputs.back().isGridGuess = plan.isGridGuess;
  }
  return measurement;
}

} // namespace tilescope::app
