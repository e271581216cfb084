// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelData.h"
#include "app/commands/PrepareModel.h"
#include "app/commands/RunModel.h"
#include "app/commands/RunModelOnGpu.h"
#include "compiler/artifacts/CpuTarget.h"
#include "profiler/data/Text.h"
#include "profiler/data/TimeText.h"
#include "profiler/runner/ModelText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace tilescope::app {

using profiler::Tensor;
using profiler::timeText;

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

/// The least and the largest element of each output.
static void printOutputs(const ModelPlan &plan, const ModelRun &run) {
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    const Tensor &tensor = run.outputs[i];
    double low = INFINITY, high = -INFINITY;
    for (int64_t at = 0; at < tensor.numElements(); ++at) {
      low = std::min(low, tensor.at(at));
      high = std::max(high, tensor.at(at));
    }
    std::printf("output %s: %s %s", profiler::printableLine(plan.outputs[i].name).c_str(),
                std::string(profiler::dtypeName(tensor.dtype)).c_str(),
                shapeText(tensor.shape).c_str());
    if (tensor.numElements() == 0)
      std::printf(", no elements\n");
    else
      std::printf(", from %.6g to %.6g\n", low, high);
  }
}

/// What each launch took, the longest first.
static void printTimes(const ModelPlan &plan, const ModelRun &run) {
  std::vector<size_t> order(plan.steps.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t step) { return run.stepUs[step]; });
  for (const size_t step : order)
    std::printf("%10s  %s of %s\n", timeText(run.stepUs[step]).c_str(),
                plan.steps[step].function.c_str(),
                profiler::printableLine(plan.steps[step].node).c_str());
}

/// What the whole took, and with `times` each launch.
static void printDuration(const ModelPlan &plan, const ModelRun &run, bool times) {
  if (run.measurement) {
    const std::string text =
        (times ? profiler::describeSteps(*run.measurement) : "") + describeModel(*run.measurement);
    std::fputs(profiler::printable(text).c_str(), stdout);
    return;
  }
  if (times)
    printTimes(plan, run);
  std::printf("%zu launches of %zu kernels took %s\n", plan.steps.size(), plan.functions.size(),
              timeText(std::accumulate(run.stepUs.begin(), run.stepUs.end(), 0.0)).c_str());
}

int runModelRun(const ModelRunOptions &options) {
  const Result<RunPlace> place = modelPlace(options.where, options.target);
  if (!place)
    return reportError(place.error());
  if (options.checked && options.target != compiler::kNativeTarget)
    return reportError(Error{ErrorCode::Usage, "`--checked` is for native code of the CPU",
                             "add `--target cpu:native`, or leave `--checked` out"});
  const Result<std::string> target = gpuTargetAt(*place);
  if (!target)
    return reportError(target.error());
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<std::optional<PreparedModel>> prepared =
      prepareModel(worker, {options.file, options.extents, options.fusions, options.form,
                            options.inputs, *target});
  if (!prepared)
    return reportError(prepared.error());
  if (!*prepared)
    return 1;
  const ModelPlan &plan = (*prepared)->planned.plan;
  ModelRunHooks hooks;
  hooks.target = options.target;
  hooks.checksBounds = options.checked;
  hooks.place = *place;
  hooks.timeLimit = options.timeLimit.value_or(hooks.timeLimit);
  hooks.compiled = tellCompiled();
  const Result<ModelRun> run = runModel(worker, plan, options.file, (*prepared)->inputs, hooks);
  if (!run)
    return reportError(run.error());
  printFindings(options.file, run->findings.diagnostics);
  printOutputs(plan, *run);
  printDuration(plan, *run, options.times);
  if (options.output.empty())
    return 0;
  if (Status status = writeOutputs(plan, run->outputs, options.output); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
