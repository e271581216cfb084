// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelBench.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelTimes.h"
#include "app/commands/PrepareModel.h"
#include "app/commands/ReadModel.h"
#include "app/commands/RunModelOnGpu.h"
#include "profiler/analysis/Throughput.h"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// Of the processor, of each launch; a GPU's runner repeats them itself.
static constexpr uint32_t kCpuRuns = 7;

static double usSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

static ModelRunHooks hooksFor(const ModelBenchOptions &options, const RunPlace &place) {
  ModelRunHooks hooks;
  hooks.place = place;
  hooks.timeLimit = options.timeLimit.value_or(hooks.timeLimit);
  hooks.compiled = tellCompiled();
  if (place.kind == RunPlace::Kind::Cpu)
    hooks.target = "cpu:native";
  return hooks;
}

static ModelBench beginBench(const PreparedModel &model) {
  ModelBench bench;
  for (size_t i = 0; i < model.planned.plan.steps.size(); ++i) {
    const ModelPlan::Step &step = model.planned.plan.steps[i];
    const compiler::ModelKernel &kernel = model.planned.model.kernels.at(i);
    bench.kernels.push_back({step.function, step.node, kernel.bytes, kernel.flops, {}, {}});
  }
  return bench;
}

/// A run in which nothing is compiled any more, and each launch is repeated with its tensors in place.
static Status measureOnCpu(compiler::WorkerClient &worker, const ModelBenchOptions &options,
                           const PreparedModel &model, ModelRunHooks hooks, ModelBench &bench) {
  hooks.repeats = kCpuRuns;
  const Result<ModelRun> run =
      runModel(worker, model.planned.plan, options.file, model.inputs, hooks);
  if (!run)
    return run.error();
  std::vector<double> totals(kCpuRuns);
  for (size_t step = 0; step < bench.kernels.size(); ++step) {
    const std::vector<double> &samples = run->stepSamplesUs.at(step);
    // What the interpreter ran in place of machine code was not repeated.
    for (size_t i = 0; i < totals.size(); ++i)
      totals[i] += samples[i % samples.size()];
    bench.kernels[step].us = profiler::timeStats(samples);
  }
  bench.device = "CPU (native code)";
  bench.steadyUs = profiler::timeStats(std::move(totals));
  return {};
}

/// What the runner has measured.
static void takeMeasurement(const profiler::ModelMeasurement &measured,
                            const compiler::ModelResult &model, const std::string &target,
                            ModelBench &bench) {
  bench.device = measured.device.name;
  bench.isGraph = measured.graphUs.has_value();
  double sum = 0;
  const std::vector<double> least = leastTimes(model, target, measured.device.name);
  for (size_t i = 0; i < bench.kernels.size(); ++i) {
    if (const auto us = measured.steps[i].us) {
      bench.kernels[i].us = profiler::timeStats({*us});
      sum += *us;
    }
    if (i < least.size())
      bench.kernels[i].leastUs = least[i];
  }
  bench.steadyUs = measured.graphUs.value_or(profiler::timeStats({sum}));
}

/// The model without the user's choices beside the one with them.
static Status addVariants(compiler::WorkerClient &worker, const ModelBenchOptions &options,
                          const RunPlace &place, const PreparedModel &chosen, ModelBench &bench) {
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return request.error();
  request->path = options.file;
  const Result<PlannedModel> planned = planModel(worker, *request, options.inputs);
  if (!planned)
    return planned.error();
  const Result<std::string> target =
      place.kind == RunPlace::Kind::Cpu ? Result<std::string>(kUsualTarget) : modelTargetAt(place);
  bench.variants =
      compareVariants(chosen.planned.model, planned->model, target ? *target : kUsualTarget);
  VariantsToMeasure models{options.file, chosen.planned.plan, planned->plan, chosen.inputs,
                           hooksFor(options, place)};
  return measureVariants(worker, models, *bench.variants);
}

/// The first run, and what follows it.
static Result<ModelBench> measure(compiler::WorkerClient &worker, const ModelBenchOptions &options,
                                  const RunPlace &place, const PreparedModel &model) {
  ModelBench bench = beginBench(model);
  const ModelRunHooks hooks = hooksFor(options, place);
  const Clock::time_point begin = Clock::now();
  const Result<ModelRun> first =
      runModel(worker, model.planned.plan, options.file, model.inputs, hooks);
  if (!first)
    return first.error();
  bench.firstUs = usSince(begin);
  printFindings(options.file, first->findings.diagnostics);
  if (!first->measurement) {
    if (Status status = measureOnCpu(worker, options, model, hooks, bench); !status)
      return status.error();
    return bench;
  }
  const Result<std::string> target = modelTargetAt(place);
  takeMeasurement(*first->measurement, model.planned.model, target ? *target : "", bench);
  return bench;
}

int runModelBench(const ModelBenchOptions &options) {
  const Result<RunPlace> place = modelPlace(options.where, "");
  if (!place)
    return reportError(place.error(), options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const ModelSource source{options.file, options.extents, options.fusions, options.form,
                           options.inputs};
  const Clock::time_point begin = Clock::now();
  const Result<std::optional<PreparedModel>> prepared = prepareModel(worker, source);
  if (!prepared)
    return reportError(prepared.error(), options.json);
  if (!*prepared)
    return 1;
  const double readUs = usSince(begin);
  Result<ModelBench> bench = measure(worker, options, *place, **prepared);
  if (!bench)
    return reportError(bench.error(), options.json);
  bench->readUs = readUs;
  const Clock::time_point again = Clock::now();
  if (const auto planned = prepareModel(worker, source); !planned)
    return reportError(planned.error(), options.json);
  bench->shapeUs = usSince(again);
  if (!options.fusions.isEmpty())
    if (Status status = addVariants(worker, options, *place, **prepared, *bench); !status)
      return reportError(status.error(), options.json);
  if (options.json)
    printJson(benchJson(options.file, *bench));
  else
    std::fputs(benchText(options.file, *bench).c_str(), stdout);
  return 0;
}

} // namespace tilescope::app
