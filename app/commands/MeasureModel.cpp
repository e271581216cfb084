// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MeasureModel.h"

#include "app/commands/CpuRates.h"
#include "app/commands/EditedKernels.h"
#include "app/commands/ModelData.h"
#include "app/commands/ModelTimes.h"
#include "app/commands/RunModelOnGpu.h"
#include "profiler/analysis/Throughput.h"

#include <algorithm>
#include <chrono>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// Of the processor, of each launch; a GPU's runner repeats them itself.
static constexpr uint32_t kCpuRuns = 7;

static double usSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

static ModelBench beginBench(const PlannedModel &planned) {
  ModelBench bench;
  for (size_t i = 0; i < planned.plan.steps.size(); ++i) {
    const ModelPlan::Step &step = planned.plan.steps[i];
    const compiler::ModelKernel &kernel = planned.model.kernels.at(i);
    bench.kernels.push_back({step.function, step.node, kernel.bytes, kernel.flops});
  }
  return bench;
}

namespace {
/// A model that is planned, with its inputs.
class Measuring {
public:
  Measuring(compiler::WorkerClient &worker, const ModelToMeasure &measured,
            const PlannedModel &planned, const std::vector<profiler::Tensor> &inputs)
      : m_worker(worker), m_measured(measured), m_hooks(measured.hooks), m_planned(planned),
        m_inputs(inputs) {
    if (m_hooks.place.kind == RunPlace::Kind::Cpu)
      m_hooks.target = "cpu:native";
    if (measured.progress)
      m_hooks.compiled = progressOf(MeasuringPhase::Compiles);
    m_hooks.ran = progressOf(MeasuringPhase::RunsFirst);
  }

  Status runFirst(ModelBench &bench);
  Status addVariants(ModelBench &bench);

private:
  std::function<void(size_t, size_t)> progressOf(MeasuringPhase phase) const;
  Status repeatOnCpu(ModelBench &bench);
  void takeMeasurement(const profiler::ModelMeasurement &measured, ModelBench &bench);
  /// Of the GPU.
  std::string target() const;

  compiler::WorkerClient &m_worker;
  const ModelToMeasure &m_measured;
  ModelRunHooks m_hooks;
  const PlannedModel &m_planned;
  const std::vector<profiler::Tensor> &m_inputs;
};
} // namespace

std::function<void(size_t, size_t)> Measuring::progressOf(MeasuringPhase phase) const {
  if (!m_measured.progress)
    return {};
  return
      [&tell = m_measured.progress, phase](size_t done, size_t total) { tell(phase, done, total); };
}

std::string Measuring::target() const {
  const Result<std::string> found = modelTargetAt(m_hooks.place);
  return found ? *found : "";
}

Status Measuring::runFirst(ModelBench &bench) {
  const Clock::time_point begin = Clock::now();
  Result<ModelRun> first =
      runModel(m_worker, m_planned.plan, m_measured.request.path, m_inputs, m_hooks);
  if (!first)
    return first.error();
  bench.firstUs = usSince(begin);
  bench.findings = std::move(first->findings.diagnostics);
  if (!first->measurement)
    return repeatOnCpu(bench);
  takeMeasurement(*first->measurement, bench);
  return {};
}

/// A run in which nothing is compiled any more, and each launch is repeated with its tensors in place.
Status Measuring::repeatOnCpu(ModelBench &bench) {
  ModelRunHooks hooks = m_hooks;
  hooks.repeats = kCpuRuns;
  hooks.ran = progressOf(MeasuringPhase::Repeats);
  const Result<ModelRun> run =
      runModel(m_worker, m_planned.plan, m_measured.request.path, m_inputs, hooks);
  if (!run)
    return run.error();
  const CpuRates rates = measureCpuRates();
  std::vector<double> totals(kCpuRuns);
  double end = 0;
  for (size_t step = 0; step < bench.kernels.size(); ++step) {
    const std::vector<double> &samples = run->stepSamplesUs.at(step);
    // What the interpreter ran in place of machine code was not repeated.
    for (size_t i = 0; i < totals.size(); ++i)
      totals[i] += samples[i % samples.size()];
    ModelBench::Kernel &kernel = bench.kernels[step];
    kernel.us = profiler::timeStats(samples);
    kernel.leastUs = std::max(double(kernel.bytes) / rates.gbPerS / 1e3,
                              double(kernel.flops) / rates.gflopPerS / 1e3);
    kernel.span = {end, kernel.us->median};
    end += kernel.us->median;
  }
  bench.device = "CPU (native code)";
  bench.steadyUs = profiler::timeStats(std::move(totals));
  return {};
}

/// What the runner has measured.
void Measuring::takeMeasurement(const profiler::ModelMeasurement &measured, ModelBench &bench) {
  bench.device = measured.device.name;
  bench.isGraph = measured.graphUs.has_value();
  bench.notes = measured.notes;
  double sum = 0;
  const std::vector<double> least = leastTimes(m_planned.model, target(), measured.device.name);
  for (size_t i = 0; i < bench.kernels.size(); ++i) {
    ModelBench::Kernel &kernel = bench.kernels[i];
    const profiler::StepMeasurement &step = measured.steps[i];
    if (step.us) {
      kernel.us = profiler::timeStats({*step.us});
      sum += *step.us;
    }
    if (step.startUs && step.graphUs)
      kernel.span = {*step.startUs, *step.graphUs};
    if (i < least.size())
      kernel.leastUs = least[i];
  }
  bench.steadyUs = measured.graphUs.value_or(profiler::timeStats({sum}));
}

/// The model without the user's choices beside the one with them.
Status Measuring::addVariants(ModelBench &bench) {
  compiler::ModelRequest request = m_measured.request;
  request.fusions.clear();
  const Result<PlannedModel> planned =
      planModel(m_worker, request, m_measured.inputs, m_hooks.stop);
  if (!planned)
    return planned.error();
  const std::string gpu = m_hooks.place.kind == RunPlace::Kind::Cpu ? "" : target();
  bench.variants =
      compareVariants(m_planned.model, planned->model, gpu.empty() ? kUsualTarget : gpu);
  return measureVariants(m_worker, {request.path, m_planned.plan, planned->plan, m_inputs, m_hooks},
                         *bench.variants);
}

Result<MeasuredModel> measureModel(compiler::WorkerClient &worker, const ModelToMeasure &measured) {
  const auto plan = [&] {
    return planModel(worker, measured.request, measured.inputs, measured.hooks.stop);
  };
  const Clock::time_point begin = Clock::now();
  Result<PlannedModel> planned = plan();
  if (!planned)
    return planned.error();
  if (!planned->model.ok)
    return MeasuredModel{planned->model};
  if (!measured.text.empty())
    if (Status status = useKernels(measured.text, measured.name, planned->plan); !status)
      return status.error();
  const auto inputs = inputTensors(planned->plan, measured.inputs);
  if (!inputs)
    return inputs.error();
  ModelBench bench = beginBench(*planned);
  bench.readUs = usSince(begin);
  Measuring measuring(worker, measured, *planned, *inputs);
  if (Status status = measuring.runFirst(bench); !status)
    return status.error();
  const Clock::time_point again = Clock::now();
  if (const Result<PlannedModel> other = plan(); !other)
    return other.error();
  bench.shapeUs = usSince(again);
  if (!measured.request.fusions.empty())
    if (Status status = measuring.addVariants(bench); !status)
      return status.error();
  return MeasuredModel{planned->model, std::move(bench)};
}

} // namespace tilescope::app
