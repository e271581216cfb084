// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sweeps of up to a million tasks of a cluster, simulated: what is submitted, what is merged from the
// logs of all tasks, and what is written of it. Time is linear in the tasks; `MB` is the most memory that
// the process had.
#include "app/slurm/SlurmScript.h"
#include "profiler/report/SweepReport.h"
#include "profiler/sweep/MergedSweep.h"
#include "profiler/sweep/SweepTasks.h"
#include "profiler/sweep/TaskLog.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <numeric>
#include <string>
#include <sys/resource.h>

using namespace tilescope;
using namespace tilescope::profiler;

static SweepAxis axis(const std::string &name, size_t count) {
  SweepAxis axis{{name}, {}};
  for (size_t i = 0; i < count; ++i)
    axis.values.push_back({std::to_string(16 * (i + 1))});
  return axis;
}

/// As many points as tasks: 10 sizes, and products of three names.
static Sweep sweepOf(size_t numTasks) {
  Sweep sweep;
  sweep.kernel = "k";
  sweep.target = "cuda:90";
  sweep.axes = {axis("n", 10), axis("A", numTasks / 1000), axis("B", 10), axis("C", 10)};
  sweep.sizes = {"n"};
  return sweep;
}

static std::string logOf(const Sweep &sweep, size_t task, size_t numTasks) {
  std::string log = taskBeginLine({task, numTasks, "id", "17_" + std::to_string(task), "node"});
  for (const size_t index : taskPoints(sweep, task, numTasks)) {
    SweepPoint point = sweepPointAt(sweep.axes, index);
    point.work = "n = " + point.values.at("n");
    point.status = SweepStatus::Measured;
    point.medianUs = 100 + double((index * 2654435761U) % 100003) / 1000;
    point.minUs = *point.medianUs - 1;
    point.maxUs = *point.medianUs + 1;
    point.gbPerS = 2e5 / *point.medianUs;
    point.registers = 24 + int64_t(index % 200);
    point.model = index % 3 == 0 ? "NVIDIA A100" : "NVIDIA H100";
    point.uuid = "GPU-" + std::to_string(index % 512);
    point.gpu = int64_t(index % 8);
    log += sweepPointLine(index, point);
  }
  return log + taskDoneLine(task, 12.5);
}

static void addMemory(benchmark::State &state) {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["MB"] = double(usage.ru_maxrss) / 1000;
  state.SetComplexityN(state.range(0));
}

static MergedSweep mergeAll(const Sweep &sweep, size_t numTasks) {
  MergedSweep merged(sweep, numTasks, "id");
  for (size_t task = 0; task < numTasks; ++task)
    if (!merged.add(task, logOf(sweep, task, numTasks)))
      std::abort();
  return merged;
}

static void submit(benchmark::State &state) {
  for ([[maybe_unused]] auto _ : state) {
    std::vector<size_t> tasks(static_cast<size_t>(state.range(0)));
    std::iota(tasks.begin(), tasks.end(), size_t(0));
    benchmark::DoNotOptimize(app::slurmArrays(tasks, 1001));
  }
  addMemory(state);
}

/// With the making of the logs.
static void merge(benchmark::State &state) {
  const auto numTasks = static_cast<size_t>(state.range(0));
  const Sweep sweep = sweepOf(numTasks);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(mergeAll(sweep, numTasks).numPoints());
  addMemory(state);
}

/// Table, plots and page of what was merged.
static void report(benchmark::State &state) {
  const auto numTasks = static_cast<size_t>(state.range(0));
  const MergedSweep merged = mergeAll(sweepOf(numTasks), numTasks);
  size_t numBytes = 0, pageBytes = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Status status = writeMergedCsv(merged, [&](std::string_view piece) -> Status {
      numBytes += piece.size();
      return {};
    });
    if (!status)
      std::abort();
    pageBytes = sweepHtml(reducedSweep(merged, 20'000), "bench", "now").size();
  }
  addMemory(state);
  state.counters["page_MB"] = double(pageBytes) / 1e6;
}

BENCHMARK(submit)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Complexity(benchmark::oN);
BENCHMARK(merge)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
BENCHMARK(report)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
