// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepRun.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/SweepCompile.h"
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

class SweepRunner {
public:
  SweepRunner(Sweep &sweep, const SweepRunOptions &options, const SweepHooks &hooks)
      : m_sweep(sweep), m_options(options), m_hooks(hooks) {}

  Status run();

private:
  bool measures() const { return m_options.place.kind != RunPlace::Kind::Cpu; }
  std::vector<size_t> goodPoints() const;
  Status compile();
  Status takeCompiled(CompiledPoint compiled);
  Status measureWork(const std::vector<size_t> &points);
  Status measureBatch(const std::vector<size_t> &points, const std::optional<size_t> &best);
  Status measureFinal(const std::vector<size_t> &points);
  void take(size_t index, const InterleavedKernel &kernel);
  TogetherOptions together(size_t numPackages) const;

  Sweep &m_sweep;
  const SweepRunOptions &m_options;
  const SweepHooks &m_hooks;
  Packages m_packages;
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

Status SweepRunner::compile() {
  std::vector<PointToCompile> open;
  const auto add = [&](size_t i) {
    open.push_back({i, selectionOf(m_sweep, m_sweep.points[i], m_options.selection)});
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
  options.place = m_options.place;
  options.coldL2 = m_options.coldL2;
  options.timeLimit = m_options.timeLimit.value_or(options.timeLimit);
  options.launchesPerRound = 3;
  options.maxRounds = 30;
  options.hopeless = kHopeless;
  options.measureSeconds = 2 + 0.2 * double(numPackages);
  return options;
}

void SweepRunner::take(size_t index, const InterleavedKernel &kernel) {
  SweepPoint &point = m_sweep.points[index];
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
  // The device knows what was loaded, whoever assembled it.
  if (measurement.registers)
    point.registers = measurement.registers;
  if (measurement.spillBytes)
    point.spillBytes = measurement.spillBytes;
  if (measurement.occupancy)
    point.occupancy = measurement.occupancy->fraction;
  m_sweep.device = measurement.device.name;
  if (measurement.copyGbPerS)
    m_sweep.copyGbPerS = std::max(m_sweep.copyGbPerS.value_or(0), *measurement.copyGbPerS);
  for (const std::string &note : measurement.notes)
    if (std::ranges::find(m_sweep.notes, note) == m_sweep.notes.end())
      m_sweep.notes.push_back(note);
}

/// `best`: of the batches before, measured along, so that it decides who is hopeless.
Status SweepRunner::measureBatch(const std::vector<size_t> &points,
                                 const std::optional<size_t> &best) {
  std::vector<size_t> all = points;
  if (best && m_packages.contains(*best))
    all.push_back(*best);
  std::vector<profiler::KernelPackage> packages;
  for (const size_t i : all)
    packages.push_back(m_packages.at(i));
  const Result<profiler::InterleavedRun> run = measureTogether(packages, together(packages.size()));
  if (!run)
    return run.error();
  for (size_t i = 0; i < points.size(); ++i) {
    take(points[i], run->kernels[i]);
    if (Status status = m_hooks.changed(points[i], run->kernels[i].rounds); !status)
      return status;
  }
  if (m_hooks.progress)
    m_hooks.progress("measured " + counted(points.size(), "point"));
  return {};
}

/// The best points of one work again, against each other alone.
Status SweepRunner::measureFinal(const std::vector<size_t> &points) {
  const std::optional<size_t> fastest = fastestOf(m_sweep, points);
  if (!fastest)
    return {};
  std::vector<size_t> finalists;
  for (const size_t i : points)
    if (m_packages.contains(i) && m_sweep.points[i].status == SweepStatus::Measured &&
        *m_sweep.points[i].medianUs <= kNear * *m_sweep.points[*fastest].medianUs)
      finalists.push_back(i);
  std::ranges::sort(finalists, {}, [&](size_t i) { return *m_sweep.points[i].medianUs; });
  finalists.resize(std::min(finalists.size(), kFinalists));
  if (finalists.size() < 2)
    return {};
  std::vector<profiler::KernelPackage> packages;
  for (const size_t i : finalists)
    packages.push_back(m_packages.at(i));
  TogetherOptions options = together(packages.size());
  options.maxRounds = 100;
  options.launchesPerRound = 5;
  options.hopeless = 0;
  const Result<profiler::InterleavedRun> run = measureTogether(packages, options);
  if (!run)
    return run.error();
  for (size_t i = 0; i < finalists.size(); ++i) {
    // A point that was measured once is not unmade by a fault of a later launch.
    if (run->kernels[i].error)
      continue;
    take(finalists[i], run->kernels[i]);
    if (Status status = m_hooks.changed(finalists[i], run->kernels[i].rounds); !status)
      return status;
  }
  return {};
}

Status SweepRunner::measureWork(const std::vector<size_t> &points) {
  std::vector<size_t> known, open;
  for (const size_t i : points)
    if (m_packages.contains(i))
      (isDone(m_sweep.points[i], true) ? known : open).push_back(i);
  if (open.empty())
    return {};
  for (size_t begin = 0; begin < open.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, open.size());
    const std::vector<size_t> batch(open.begin() + static_cast<std::ptrdiff_t>(begin),
                                    open.begin() + static_cast<std::ptrdiff_t>(end));
    if (Status status = measureBatch(batch, fastestOf(m_sweep, known)); !status)
      return status;
    known.insert(known.end(), batch.begin(), batch.end());
  }
  Status status = measureFinal(known);
  for (const size_t i : points)
    m_packages.erase(i);
  return status;
}

Status SweepRunner::run() {
  if (Status status = compile(); !status)
    return status;
  if (!measures())
    return {};
  for (const std::vector<size_t> &group : sweepGroups(m_sweep))
    if (Status status = measureWork(group); !status)
      return status;
  return {};
}

Status runSweep(Sweep &sweep, const SweepRunOptions &options, const SweepHooks &hooks) {
  return SweepRunner(sweep, options, hooks).run();
}

} // namespace tilescope::app
