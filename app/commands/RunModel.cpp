// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunModel.h"

#include "app/commands/CpuTiles.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelBuffers.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/RunModelOnGpu.h"
#include "app/commands/TemporaryFolder.h"
#include "profiler/data/Npy.h"

namespace tilescope::app {

using profiler::Tensor;

namespace {
/// Folders that a step's tensors go through.
struct StepFolders {
  std::string inputs, outputs;
};
} // namespace

InputFile stepSource(const ModelPlan &plan, const ModelPlan::Step &step) {
  InputFile input;
  input.path = "model.py";
  input.text = plan.functions.at(step.function) + "\n\n" + step.block;
  input.entry = compiler::StageId::Ast;
  return input;
}

Error stepError(const ModelPlan::Step &step, Error error) {
  error.message = "node `" + step.node + "` (`" + step.function +
                  "`): " + (error.message.empty() ? "it does not run" : error.message);
  return error;
}

Error firstError(Error error, const std::vector<compiler::Diagnostic> &diagnostics,
                 const std::vector<compiler::SourceFile> &files) {
  for (const compiler::Diagnostic &diagnostic : diagnostics)
    if (error.message.empty() && diagnostic.severity == compiler::Severity::Error)
      error.message = diagnosticHeadline(diagnostic, files);
  return error;
}

static Status runStep(compiler::WorkerClient &worker, const ModelPlan &plan, size_t number,
                      const StepFolders &folders, const ModelRunHooks &hooks, ModelBuffers &memory,
                      ModelRun &run) {
  const ModelPlan::Step &step = plan.steps[number];
  for (const ModelPlan::Tensor &view : step.tensors) {
    if (view.isResult)
      continue;
    const Result<Tensor> tensor = memory.load(view);
    if (!tensor)
      return tensor.error();
    if (hooks.read)
      hooks.read(number, view, *tensor);
    if (Status status = profiler::writeNpy(folders.inputs + "/" + view.name + ".npy", *tensor);
        !status)
      return status;
  }
  LaunchRequest request;
  request.input = stepSource(plan, step);
  request.selection.target = hooks.target;
  if (!hooks.target.empty())
    request.selection.constexprs = cpuConstexprs(plan, step);
  request.checksBounds = hooks.checksBounds;
  request.inputFolder = folders.inputs;
  request.dumpFolder = folders.outputs;
  request.repeats = hooks.repeats;
  LaunchHooks launchHooks;
  launchHooks.runner.stop = hooks.stop;
  const LaunchRun launch = runLaunch(worker, request, launchHooks);
  for (const compiler::Diagnostic &diagnostic : launch.diagnostics) {
    // A kernel of a model reads what its operator reads: a pooling may leave out a last row.
    const bool isOfOperator = diagnostic.severity == compiler::Severity::Note &&
                              diagnostic.kind == compiler::DiagnosticKind::RunLaunchUnfit;
    if (!isOfOperator)
      run.findings.diagnostics.push_back(
          {diagnostic.severity, step.node, step.function, diagnostic.message});
  }
  if (!launch.measurement)
    return firstError(launch.measurement.error(), launch.diagnostics, launch.files);
  const auto &us = launch.measurement->timeUs;
  run.stepUs.push_back(us ? us->median : 0);
  run.stepSamplesUs.push_back(us ? us->samples : std::vector<double>());
  for (const ModelPlan::Tensor &view : step.tensors) {
    if (!view.isResult)
      continue;
    Result<Tensor> tensor = profiler::readNpy(folders.outputs + "/" + view.name + ".npy");
    if (!tensor)
      return tensor.error();
    if (Status status = memory.store(view, *tensor); !status)
      return status;
    if (hooks.wrote)
      hooks.wrote(number, view, *tensor);
  }
  return {};
}

Result<ModelRun> runModel(compiler::WorkerClient &worker, const ModelPlan &plan,
                          const std::string &model, const std::vector<Tensor> &inputs,
                          const ModelRunHooks &hooks) {
  if (hooks.place.kind != RunPlace::Kind::Cpu)
    return runModelOnGpu(worker, plan, model, inputs, hooks);
  ModelRun run;
  ModelBuffers memory(plan, model, inputs);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    if (hooks.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the run was stopped", ""};
    const Result<TemporaryFolder> before = TemporaryFolder::make(), after = TemporaryFolder::make();
    if (!before || !after)
      return before ? after.error() : before.error();
    if (Status status =
            runStep(worker, plan, i, {before->path(), after->path()}, hooks, memory, run);
        !status)
      return stepError(plan.steps[i], status.error());
    if (hooks.ran)
      hooks.ran(i + 1, plan.steps.size());
  }
  for (const ModelPlan::Tensor &output : plan.outputs) {
    Result<Tensor> tensor = memory.load(output);
    if (!tensor)
      return tensor.error();
    run.outputs.push_back(std::move(*tensor));
  }
  return run;
}

} // namespace tilescope::app
