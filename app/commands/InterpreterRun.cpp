// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InterpreterRun.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/data/Tensor.h"

#include <fmt/format.h>

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
  message.checksBounds = run.checksBounds;
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

bool isNativeRun(const Measurement &measurement) {
  return measurement.device.name.starts_with(kNativeCode);
}

/// What executed the programs.
static std::string executorName(bool isNative, const InterpreterRun &run) {
  if (!isNative)
    return "CPU (interpreter)";
  return std::string(kNativeCode) + (run.checksBounds ? ", checked)" : ")");
}

/// The other time of a run of native code.
static std::string sampleNote(const compiler::RunDoneReply &done) {
  return std::string("the interpreter checked ") +
         (done.sampledPrograms == 1 ? "the only program" : "the first and the last program") +
         " before, in " + fmt::format("{:.3f}", static_cast<double>(done.sampleDurationNs) / 1e6) +
         " ms";
}

Measurement toMeasurement(const compiler::RunDoneReply &done,
                          const compiler::CompileRequest &request, const profiler::LaunchPlan &plan,
                          const InterpreterRun &run) {
  Measurement measurement;
  measurement.device.name = executorName(done.isNative, run);
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
  if (done.sampledPrograms > 0)
    measurement.notes.push_back(sampleNote(done));
  measurement.bytes = plan.bytes;
  measurement.flops = plan.flops;
  for (const compiler::RunOutput &output : done.outputs) {
    const profiler::PlanArgument *argument = plan.argument(output.name);
    const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    measurement.outputs.push_back(
        toOutput(output, !done.isNative && tensor &&
                             tensor->init.kind == profiler::TensorInit::Kind::Poison));
    measurement.outputs.back().isShapeGuess = tensor && tensor->isGuess;
    measurement.outputs.back().isGridGuess = plan.isGridGuess;
  }
  return measurement;
}

} // namespace tilescope::app
