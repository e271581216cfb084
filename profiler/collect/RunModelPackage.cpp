// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/RunModelPackage.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/collect/GraphTimeline.h"
#include "profiler/collect/LoadKernel.h"
#include "profiler/collect/MeasureTimes.h"
#include "profiler/collect/ModelMemory.h"
#include "profiler/collect/Parameters.h"
#include "profiler/collect/StepTimes.h"
#include "profiler/package/StepOrder.h"

#include <algorithm>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

static double microsecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

namespace {
/// A step that is ready to be launched.
struct ReadyStep {
  KernelHandle kernel = 0;
  LaunchShape shape;
  ParameterBlock parameters;
  std::vector<void *> pointers;
  bool isEmpty = false;
};

class ModelRun {
public:
  ModelRun(CudaDriver &driver, Cupti *cupti, std::string cuptiReason, const ModelPackage &package,
           const ModelRunOptions &options)
      : m_driver(driver), m_cupti(cupti), m_cuptiReason(std::move(cuptiReason)), m_package(package),
        m_options(options), m_memory(driver, package) {}

  Status prepare();
  Status runOnce();
  Status measureSteps();
  Status measureGraph();
  Status recordTimeline();
  ModelOutcome takeOutcome() { return std::move(m_outcome); }

private:
  Status prepareStep(const ModelStep &step, KernelLoader &loader);
  Status launch(size_t step);
  Status keepResults(size_t step);
  Result<std::vector<NamedTensor>> fetchOutputs();
  std::vector<GraphKernel> graphKernels();
  Status checkGraph(GraphHandle graph);
  void announce(const char *state, size_t step) const;
  Error atStep(size_t step, const Error &error) const;

  CudaDriver &m_driver;
  Cupti *m_cupti;
  std::string m_cuptiReason;
  const ModelPackage &m_package;
  const ModelRunOptions &m_options;
  ModelMemory m_memory;
  std::vector<ReadyStep> m_steps;
  ModelOutcome m_outcome;
};
} // namespace

void ModelRun::announce(const char *state, size_t step) const {
  if (!m_options.progress)
    return;
  const ModelStep &each = m_package.steps[step];
  // Whoever reports on it writes "kernel `…`".
  m_options.progress({state}, each.kernel.symbol + "` of node `" + each.node);
}

Error ModelRun::atStep(size_t step, const Error &error) const {
  const ModelStep &each = m_package.steps[step];
  Error told = inKernel(each.kernel, error);
  told.message = "node `" + each.node + "`: " + told.message;
  return told;
}

Status ModelRun::prepareStep(const ModelStep &step, KernelLoader &loader) {
  const auto loaded = loader.load(step.kernel);
  if (!loaded)
    return loaded.error();
  StepMeasurement told{step.node, step.kernel.symbol,          std::nullopt, {},
                       {},        loaded->attributes.registers};
  told.sharedBytes = step.kernel.sharedBytes + loaded->attributes.staticSharedBytes;
  told.spillBytes = step.kernel.spillBytes.value_or(loaded->attributes.localBytes);
  m_outcome.measurement.steps.push_back(std::move(told));
  std::map<std::string, DeviceAddress> addresses;
  for (const StepTensor &tensor : step.tensors)
    addresses[tensor.argument] = m_memory.addressOf(tensor.buffer);
  const auto scratch = allocateGlobalScratch(m_driver, step.kernel);
  if (!scratch)
    return scratch.error();
  auto parameters = makeParameters(step.kernel, addresses, {*scratch, 0}, m_driver);
  if (!parameters)
    return parameters.error();
  ReadyStep &ready =
      m_steps.emplace_back(loaded->kernel, launchShape(step.kernel), std::move(*parameters));
  ready.pointers = ready.parameters.pointers();
  ready.isEmpty = isEmptyGrid(step.kernel.plan);
  return {};
}

Status ModelRun::prepare() {
  if (m_options.progress)
    m_options.progress({"prepare"}, "");
  auto device = openDevice(m_driver, m_options.run.device);
  if (!device)
    return device.error();
  ModelMeasurement &measurement = m_outcome.measurement;
  measurement.device = std::move(*device);
  const auto begin = Clock::now();
  if (Status status = m_memory.open(); !status)
    return status;
  KernelLoader loader(m_driver, measurement.device);
  for (const ModelStep &step : m_package.steps)
    if (Status status = prepareStep(step, loader); !status) {
      Error error = status.error();
      error.message = "node `" + step.node + "`: " + error.message;
      return error;
    }
  measurement.prepareUs = microsecondsSince(begin);
  return {};
}

Status ModelRun::launch(size_t step) {
  ReadyStep &ready = m_steps[step];
  if (ready.isEmpty)
    return {};
  if (Status status = m_driver.launch(ready.kernel, ready.shape, ready.pointers.data()); !status)
    return atStep(step, status.error());
  return {};
}

Status ModelRun::keepResults(size_t step) {
  const ModelStep &each = m_package.steps[step];
  for (const StepTensor &tensor : each.tensors) {
    if (!tensor.isWritten)
      continue;
    const PlanTensor &plan = *each.kernel.plan.argument(tensor.argument)->tensor();
    auto fetched = m_memory.fetch(tensor.buffer, plan.dtype, plan.shape);
    if (!fetched)
      return fetched.error();
    m_outcome.tensors.push_back({resultFileName(step, tensor.argument), std::move(*fetched)});
  }
  return {};
}

Result<std::vector<NamedTensor>> ModelRun::fetchOutputs() {
  std::vector<NamedTensor> outputs;
  for (size_t i = 0; i < m_package.outputs.size(); ++i) {
    const ModelPort &port = m_package.outputs[i];
    auto tensor = m_memory.fetch(port.buffer, port.dtype, port.shape);
    if (!tensor)
      return tensor.error();
    outputs.push_back({outputFileName(i), std::move(*tensor)});
  }
  return outputs;
}

/// One step after another, each waited for: an error is that of its step.
Status ModelRun::runOnce() {
  if (Status status = m_memory.forget(); !status)
    return status;
  if (Status status = m_driver.synchronize(); !status)
    return status;
  for (size_t step = 0; step < m_steps.size(); ++step) {
    announce("launch", step);
    const auto begin = Clock::now();
    if (Status status = launch(step); !status)
      return status;
    if (Status status = m_driver.synchronize(); !status)
      return atStep(step, status.error());
    m_outcome.measurement.firstUs += microsecondsSince(begin);
    if (m_options.results)
      if (Status status = keepResults(step); !status)
        return status;
  }
  if (m_options.progress)
    m_options.progress({"outputs"}, "");
  auto outputs = fetchOutputs();
  if (!outputs)
    return outputs.error();
  m_outcome.tensors.insert(m_outcome.tensors.begin(), std::make_move_iterator(outputs->begin()),
                           std::make_move_iterator(outputs->end()));
  return {};
}

Status ModelRun::measureSteps() {
  // Where it may not record, as beside another profiler, times come from events.
  if (m_cupti)
    if (Status status = m_cupti->enable(); !status) {
      m_cuptiReason = status.error().message;
      m_cupti = nullptr;
    }
  std::vector<TimedStep> timed;
  for (size_t step = 0; step < m_steps.size(); ++step) {
    TimedStep &each = timed.emplace_back(m_package.steps[step].kernel.symbol);
    if (!m_steps[step].isEmpty)
      each.launch = [this, step] { return launch(step); };
  }
  auto times = measureStepTimes(m_driver, m_cupti, m_cuptiReason, timed);
  if (!times)
    return times.error();
  ModelMeasurement &measurement = m_outcome.measurement;
  measurement.stepSource = times->source;
  for (size_t step = 0; step < m_steps.size(); ++step)
    measurement.steps[step].us = times->us[step];
  std::ranges::move(times->notes, std::back_inserter(measurement.notes));
  // It would slow down the graph's kernels.
  return m_cupti ? m_cupti->disable() : Status();
}

/// Without launches of empty grids: what would wait for one waits for what it would have waited for.
std::vector<GraphKernel> ModelRun::graphKernels() {
  const auto order = stepOrder(m_package);
  std::vector<GraphKernel> kernels;
  // Of each step, the kernels that are over when it is.
  std::vector<std::vector<size_t>> ends(m_steps.size());
  for (size_t step = 0; step < m_steps.size(); ++step) {
    std::vector<size_t> after;
    for (const size_t earlier : order[step])
      after.insert(after.end(), ends[earlier].begin(), ends[earlier].end());
    std::ranges::sort(after);
    after.erase(std::ranges::unique(after).begin(), after.end());
    ReadyStep &ready = m_steps[step];
    if (ready.isEmpty) {
      ends[step] = std::move(after);
      continue;
    }
    ends[step] = {kernels.size()};
    kernels.push_back({ready.kernel, ready.shape, ready.pointers.data(), std::move(after)});
  }
  return kernels;
}

/// The graph must compute what its launches computed one after another.
Status ModelRun::checkGraph(GraphHandle graph) {
  if (Status status = m_memory.forget(); !status)
    return status;
  if (Status status = m_driver.launchGraph(graph); !status)
    return status;
  if (Status status = m_driver.synchronize(); !status)
    return status;
  const auto outputs = fetchOutputs();
  if (!outputs)
    return outputs.error();
  for (size_t i = 0; i < outputs->size(); ++i)
    if ((*outputs)[i].tensor != m_outcome.tensors[i].tensor)
      m_outcome.measurement.notes.push_back("output `" + m_package.outputs[i].name +
                                            "` of the graph is not that of the launches one after "
                                            "another: a kernel's result may depend "
                                            "on the order of its programs");
  return {};
}

/// When each kernel runs in the graph.
Status ModelRun::recordTimeline() {
  ModelMeasurement &measurement = m_outcome.measurement;
  const std::vector<GraphKernel> kernels = graphKernels();
  if (kernels.empty() || !m_cupti || measurement.stepSource != TimeSource::Cupti)
    return {};
  std::vector<StepMeasurement *> launched;
  RecordedGraph graph{kernels, {}};
  for (size_t step = 0; step < m_steps.size(); ++step)
    if (!m_steps[step].isEmpty) {
      launched.push_back(&measurement.steps[step]);
      graph.symbols.push_back(m_package.steps[step].kernel.symbol);
    }
  const auto spans = recordGraph(m_driver, *m_cupti, graph);
  if (!spans)
    return spans.error();
  if (!*spans)
    measurement.notes.push_back("CUPTI did not return a record of each kernel of the graph: it is "
                                "not known when they run");
  else
    for (size_t i = 0; i < launched.size(); ++i) {
      launched[i]->startUs = (**spans)[i].startUs;
      launched[i]->graphUs = (**spans)[i].us;
    }
  return {};
}

/// Before CUPTI is enabled: it slows down the kernels of graphs, even when it has been disabled.
Status ModelRun::measureGraph() {
  if (m_options.progress)
    m_options.progress({"measure"}, "");
  const std::vector<GraphKernel> kernels = graphKernels();
  if (kernels.empty())
    return {};
  for (const GraphKernel &kernel : kernels)
    m_outcome.measurement.edges += int64_t(kernel.after.size());
  const auto graph = m_driver.makeGraph(kernels);
  if (!graph)
    return graph.error();
  if (Status status = checkGraph(*graph); !status)
    return status;
  RunOptions options = m_options.run;
  options.coldL2 = false;
  const TimedLaunch timed{"", [&] { return m_driver.launchGraph(*graph); }};
  auto runs = measureTimes(m_driver, nullptr, "", m_outcome.measurement.device, timed, options);
  if (!runs)
    return runs.error();
  m_outcome.measurement.graphUs = timeStats(std::move(runs->samplesUs));
  m_outcome.measurement.graphUs->samples.clear();
  return m_driver.releaseGraph(*graph);
}

Result<ModelOutcome> runModelPackage(CudaDriver &driver, Cupti *cupti,
                                     const std::string &cuptiReason, const ModelPackage &package,
                                     const ModelRunOptions &options) {
  ModelRun run(driver, cupti, cuptiReason, package, options);
  if (Status status = run.prepare(); !status)
    return status.error();
  if (Status status = run.runOnce(); !status)
    return status.error();
  if (options.run.measure) {
    for (const auto measure :
         {&ModelRun::measureGraph, &ModelRun::measureSteps, &ModelRun::recordTimeline})
      if (Status status = (run.*measure)(); !status)
        return status.error();
  }
  return run.takeOutcome();
}

} // namespace tilescope::profiler
