// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepRun.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/GpuThreads.h"
#include "app/commands/MakePackage.h"
#include "app/commands/SweepCompile.h"
#include "app/commands/SweepEstimate.h"
#include "compiler/artifacts/LaunchOptions.h"
#include "compiler/support/Counted.h"
#include "profiler/analysis/Occupancy.h"
#include "profiler/analysis/Regression.h"

#include <algorithm>
#include <map>

namespace tilescope::app {

using profiler::InterleavedKernel;
using profiler::Sweep;
using profiler::SweepPoint;
using profiler::SweepStatus;

/// Points measured in one process: what it holds at once, and what the end of a process costs.
static constexpr size_t kBatch = 32;
/// Where several GPUs share points: fewer would be measured against nothing.
static constexpr size_t kLeastBatch = 4;
/// Points slower than the best by this factor are given up.
static constexpr double kHopeless = 1.5;
/// Points within this part of the best are measured once more, up to so many.
static constexpr double kNear = 1.1;
static constexpr size_t kFinalists = 6;
compiler::Selection selectionOf(const Sweep &sweep, const SweepPoint &point,
                                compiler::Selection selection) {
  for (const auto &[name, value] : point.values) {
    const bool isSize = std::ranges::find(sweep.sizes, name) != sweep.sizes.end();
    auto &target = isSize                           ? selection.sizes
                   : compiler::isLaunchOption(name) ? selection.options
                                                    : selection.constexprs;
    target[name] = value;
  }
  return selection;
}

namespace {
/// The packages that were compiled, by point, while their work is measured.
using Packages = std::map<size_t, profiler::KernelPackage>;

/// Points of equal work, measured by GPUs of one model.
struct Work {
  std::string model;
  /// All of them.
  std::vector<size_t> points;
  /// Not begun yet.
  std::vector<size_t> open;
  /// Measured, with their packages at hand.
  std::vector<size_t> known;
  size_t batch = 0;
  size_t numRunning = 0;
  bool isFinalBegun = false;
  bool isDone = false;
};

class SweepRunner {
public:
  SweepRunner(Sweep &sweep, const SweepRunOptions &options, const SweepHooks &hooks)
      : m_sweep(sweep), m_options(options), m_hooks(hooks), m_isLost(options.gpus.size()) {}

  Status run();

private:
  bool measures() const { return m_options.gpus.front().place.kind != RunPlace::Kind::Cpu; }
  bool serves(size_t gpu, const std::string &model) const {
    return !m_isLost[gpu] && (m_sweep.models.empty() || m_options.gpus[gpu].model == model);
  }
  size_t numServing(const std::string &model) const;
  std::vector<size_t> goodPoints() const;
  compiler::Selection selectionAt(size_t point) const;
  Status compile();
  Status takeCompiled(CompiledPoint compiled);
  void planWork();
  std::optional<GpuJob> nextJob(size_t gpu, size_t &work);
  GpuJob batchOf(Work &work);
  std::optional<GpuJob> finalOf(Work &work);
  Status takeResult(const GpuResult &result, Work &work);
  Status takeFault(const GpuResult &result, Work &work);
  Status measure();
  void take(size_t index, const InterleavedKernel &kernel, const SweepGpu &gpu);
  TogetherOptions together(size_t numPackages) const;

  Sweep &m_sweep;
  const SweepRunOptions &m_options;
  const SweepHooks &m_hooks;
  Packages m_packages;
  std::vector<Work> m_work;
  std::vector<bool> m_isLost;
  size_t m_numDone = 0;
};
} // namespace

/// Whether there is nothing more to find out about a point, at a place that measures or not.
static bool isDone(const SweepPoint &point, bool measures) {
  switch (point.status) {
  case SweepStatus::Open:
    return false;
  case SweepStatus::Compiled:
    return !measures;
  default:
    return true;
  }
}

static std::string firstLine(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

static std::string reasonOf(const CompiledPackage &compiled) {
  const Error &error = compiled.package.error();
  if (!error.message.empty())
    return firstLine(error.message);
  for (const compiler::Diagnostic &each : compiled.diagnostics)
    if (each.severity == compiler::Severity::Error)
      return firstLine(diagnosticHeadline(each, compiled.files));
  return "it does not compile";
}

Status SweepRunner::takeCompiled(CompiledPoint compiled) {
  SweepPoint &point = m_sweep.points[compiled.index];
  ++m_numDone;
  // Measured by an earlier process, and good enough to be measured with what comes now.
  if (point.status == SweepStatus::Measured) {
    if (compiled.package.package)
      m_packages.emplace(compiled.index, std::move(*compiled.package.package));
    return {};
  }
  if (!compiled.package.package) {
    point.status = SweepStatus::Failed;
    point.reason = reasonOf(compiled.package);
    return m_hooks.changed(compiled.index, {});
  }
  profiler::KernelPackage &package = *compiled.package.package;
  point.work = profiler::workText(package.plan);
  point.registers = package.registers;
  point.spillBytes = package.spillBytes;
  point.sharedBytes = package.sharedBytes;
  point.threads = int64_t(package.numWarps) * 32;
  if (const auto occupancy = profiler::occupancyOn(
          package.target, {package.registers.value_or(-1), package.sharedBytes,
                           static_cast<int32_t>(*point.threads)}))
    point.occupancy = occupancy->fraction;
  if (compiled.package.estimate)
    takeEstimate(*compiled.package.estimate, measures() ? m_options.gpus.front().model : "",
                 m_sweep, point);
  point.status = SweepStatus::Compiled;
  if (measures())
    m_packages.emplace(compiled.index, std::move(package));
  if (m_hooks.progress)
    m_hooks.progress("compiled " + std::to_string(m_numDone));
  return m_hooks.changed(compiled.index, {});
}

/// Points that were measured and are near the best of their work.
std::vector<size_t> SweepRunner::goodPoints() const {
  std::vector<size_t> good;
  for (const std::vector<size_t> &group : sweepGroups(m_sweep)) {
    const std::optional<size_t> fastest = fastestOf(m_sweep, group);
    for (const size_t i : group)
      if (m_sweep.points[i].status == SweepStatus::Measured &&
          *m_sweep.points[i].medianUs <= kNear * *m_sweep.points[*fastest].medianUs)
        good.push_back(i);
  }
  return good;
}

size_t SweepRunner::numServing(const std::string &model) const {
  size_t count = 0;
  for (size_t gpu = 0; gpu < m_options.gpus.size(); ++gpu)
    count += serves(gpu, model);
  return count;
}

/// A point of several models is compiled for that which measures it.
compiler::Selection SweepRunner::selectionAt(size_t point) const {
  compiler::Selection selection = selectionOf(m_sweep, m_sweep.points[point], m_options.selection);
  if (m_options.usesOwnTargets)
    for (const SweepGpu &gpu : m_options.gpus)
      if (!gpu.target.empty() &&
          (m_sweep.models.empty() || gpu.model == m_sweep.points[point].model)) {
        selection.target = gpu.target;
        break;
      }
  return selection;
}

Status SweepRunner::compile() {
  std::vector<PointToCompile> open;
  const bool predicts = m_options.predicts && m_options.coldL2 && isPredicted(m_sweep);
  const auto add = [&](size_t i) {
    open.push_back({i, selectionAt(i), predicts && !m_sweep.points[i].predictedUs});
  };
  for (size_t i = 0; i < m_sweep.points.size(); ++i)
    if (!isDone(m_sweep.points[i], measures()))
      add(i);
  if (!open.empty() && measures())
    std::ranges::for_each(goodPoints(), add);
  return compilePoints(m_options.input, open, m_options.jobs, m_options.timeLimit,
                       [&](CompiledPoint compiled) { return takeCompiled(std::move(compiled)); });
}

TogetherOptions SweepRunner::together(size_t numPackages) const {
  TogetherOptions options;
  options.coldL2 = m_options.coldL2;
  options.timeLimit = m_options.timeLimit.value_or(options.timeLimit);
  options.launchesPerRound = 3;
  options.maxRounds = 30;
  options.hopeless = kHopeless;
  options.measureSeconds = 2 + 0.2 * double(numPackages);
  return options;
}

void SweepRunner::take(size_t index, const InterleavedKernel &kernel, const SweepGpu &gpu) {
  SweepPoint &point = m_sweep.points[index];
  point.place = runPlaceText(gpu.place);
  point.uuid = gpu.uuid;
  point.gpu = gpu.place.device;
  if (kernel.error) {
    point.status = SweepStatus::Failed;
    point.reason = firstLine(kernel.error->message);
    return;
  }
  const profiler::Measurement &measurement = kernel.measurement;
  point.status = kernel.isStoppedEarly ? SweepStatus::StoppedEarly : SweepStatus::Measured;
  if (measurement.timeUs) {
    point.medianUs = measurement.timeUs->median;
    point.minUs = measurement.timeUs->min;
    point.maxUs = measurement.timeUs->max;
  }
  point.gbPerS = measurement.gbPerS;
  point.tflopPerS = measurement.tflopPerS;
  // The device reports what was loaded, whichever assembler made it.
  if (measurement.registers)
    point.registers = measurement.registers;
  if (measurement.spillBytes)
    point.spillBytes = measurement.spillBytes;
  if (measurement.occupancy)
    point.occupancy = measurement.occupancy->fraction;
  m_sweep.device = measurement.device.name;
  if (!measurement.device.uuid.empty())
    point.uuid = measurement.device.uuid;
  point.model = gpu.model.empty() ? m_sweep.device : gpu.model;
  if (measurement.copyGbPerS) {
    double &copy = m_sweep.copyByModel[m_sweep.device];
    copy = std::max(copy, *measurement.copyGbPerS);
    m_sweep.copyGbPerS = copy;
  }
  for (const std::string &note : measurement.notes)
    if (std::ranges::find(m_sweep.notes, note) == m_sweep.notes.end())
      m_sweep.notes.push_back(note);
}

/// What there is to measure; work that was measured before is left as it is.
void SweepRunner::planWork() {
  for (const std::vector<size_t> &group : sweepGroups(m_sweep)) {
    Work work;
    work.points = group;
    work.model = m_sweep.models.empty() ? "" : m_sweep.points[group.front()].model;
    for (const size_t i : group)
      if (m_packages.contains(i))
        (isDone(m_sweep.points[i], true) ? work.known : work.open).push_back(i);
    if (work.open.empty())
      continue;
    const size_t numGpus = std::max<size_t>(numServing(work.model), 1);
    work.batch = std::clamp((work.open.size() + numGpus - 1) / numGpus, kLeastBatch, kBatch);
    m_work.push_back(std::move(work));
  }
}

/// The next points of some work, and the best so far, measured along, so that it decides who is
/// hopeless.
GpuJob SweepRunner::batchOf(Work &work) {
  const auto end =
      work.open.begin() + static_cast<std::ptrdiff_t>(std::min(work.batch, work.open.size()));
  GpuJob job;
  job.points.assign(work.open.begin(), end);
  work.open.erase(work.open.begin(), end);
  for (const size_t i : job.points)
    job.packages.push_back(m_packages.at(i));
  if (const std::optional<size_t> best = fastestOf(m_sweep, work.known);
      best && m_packages.contains(*best))
    job.packages.push_back(m_packages.at(*best));
  job.options = together(job.packages.size());
  return job;
}

/// The best points of one work again, against each other alone.
std::optional<GpuJob> SweepRunner::finalOf(Work &work) {
  const std::optional<size_t> fastest = fastestOf(m_sweep, work.known);
  if (!fastest)
    return std::nullopt;
  GpuJob job;
  for (const size_t i : work.known)
    if (m_packages.contains(i) && m_sweep.points[i].status == SweepStatus::Measured &&
        *m_sweep.points[i].medianUs <= kNear * *m_sweep.points[*fastest].medianUs)
      job.points.push_back(i);
  std::ranges::sort(job.points, {}, [&](size_t i) { return *m_sweep.points[i].medianUs; });
  job.points.resize(std::min(job.points.size(), kFinalists));
  if (job.points.size() < 2)
    return std::nullopt;
  for (const size_t i : job.points)
    job.packages.push_back(m_packages.at(i));
  job.options = together(job.packages.size());
  job.options.maxRounds = 100;
  job.options.launchesPerRound = 5;
  job.options.hopeless = 0;
  return job;
}

/// What a GPU does next, and for which work; nothing when there is nothing for it now.
std::optional<GpuJob> SweepRunner::nextJob(size_t gpu, size_t &index) {
  for (index = 0; index < m_work.size(); ++index) {
    Work &work = m_work[index];
    if (work.isDone || !serves(gpu, work.model))
      continue;
    std::optional<GpuJob> job;
    if (!work.open.empty()) {
      job = batchOf(work);
    } else if (work.numRunning == 0) {
      if (!work.isFinalBegun)
        job = finalOf(work);
      work.isFinalBegun = true;
      work.isDone = !job;
    }
    if (job) {
      ++work.numRunning;
      return job;
    }
    if (work.isDone)
      for (const size_t i : work.points)
        m_packages.erase(i);
  }
  return std::nullopt;
}

/// A GPU that is lost leaves its points to the others of its model.
Status SweepRunner::takeFault(const GpuResult &result, Work &work) {
  const Error &error = result.run.error();
  m_isLost[result.gpu] = error.code == ErrorCode::Environment;
  if (!m_isLost[result.gpu] || numServing(work.model) == 0)
    return error;
  m_sweep.notes.push_back("`" + runPlaceText(m_options.gpus[result.gpu].place) +
                          "` was left out: " + firstLine(error.message));
  if (work.isFinalBegun)
    work.isFinalBegun = false;
  else
    work.open.insert(work.open.begin(), result.points.begin(), result.points.end());
  return {};
}

Status SweepRunner::takeResult(const GpuResult &result, Work &work) {
  --work.numRunning;
  if (!result.run)
    return takeFault(result, work);
  for (size_t i = 0; i < result.points.size(); ++i) {
    const InterleavedKernel &kernel = result.run->kernels[i];
    // A point that was measured once is not unmade by a fault of a later launch.
    if (work.isFinalBegun && kernel.error)
      continue;
    take(result.points[i], kernel, m_options.gpus[result.gpu]);
    if (Status status = m_hooks.changed(result.points[i], kernel.rounds); !status)
      return status;
  }
  if (!work.isFinalBegun) {
    work.known.insert(work.known.end(), result.points.begin(), result.points.end());
    if (m_hooks.progress)
      m_hooks.progress("measured " + counted(result.points.size(), "point"));
  }
  return {};
}

Status SweepRunner::measure() {
  planWork();
  GpuThreads threads(m_options.gpus);
  std::vector<size_t> workOf(m_options.gpus.size());
  for (;;) {
    for (size_t gpu = 0; gpu < m_options.gpus.size(); ++gpu)
      if (threads.isIdle(gpu))
        if (std::optional<GpuJob> job = nextJob(gpu, workOf[gpu]))
          threads.start(gpu, std::move(*job));
    if (!threads.anyBusy())
      return {};
    const GpuResult result = threads.wait();
    if (Status status = takeResult(result, m_work[workOf[result.gpu]]); !status)
      return status;
  }
}

Status SweepRunner::run() {
  if (Status status = compile(); !status)
    return status;
  return measures() ? measure() : Status();
}

Status runSweep(Sweep &sweep, const SweepRunOptions &options, const SweepHooks &hooks) {
  return SweepRunner(sweep, options, hooks).run();
}

} // namespace tilescope::app
