// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/MeasureTogether.h"
#include "app/commands/SweepGpus.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tilescope::app {

/// Packages to be measured against each other, on one GPU.
struct GpuJob {
  /// What they are to the code that started the job.
  std::vector<size_t> points;
  std::vector<profiler::KernelPackage> packages;
  TogetherOptions options;
};

struct GpuResult {
  size_t gpu = 0;
  std::vector<size_t> points;
  Result<profiler::InterleavedRun> run;
};

/// A thread for each GPU, which measures one job after the other: the runner on it ends with the thread.
/// Thread: the owner's.
class GpuThreads {
public:
  explicit GpuThreads(const std::vector<SweepGpu> &gpus);
  ~GpuThreads();
  GpuThreads(const GpuThreads &) = delete;
  GpuThreads &operator=(const GpuThreads &) = delete;

  /// The GPU must be idle.
  void start(size_t gpu, GpuJob job);
  bool isIdle(size_t gpu) const { return !m_isBusy[gpu]; }
  bool anyBusy() const;
  /// The next job that is done; waits for it. Some GPU must be busy.
  GpuResult wait();

private:
  void work(size_t gpu, const std::stop_token &stop);

  const std::vector<SweepGpu> &m_gpus;
  std::vector<bool> m_isBusy;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  /// For each GPU, at most one.
  std::vector<std::optional<GpuJob>> m_jobs;
  std::deque<GpuResult> m_results;
  std::vector<std::jthread> m_threads;
};

} // namespace tilescope::app
