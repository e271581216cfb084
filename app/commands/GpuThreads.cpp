// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/GpuThreads.h"

#include <algorithm>
#include <cassert>

namespace tilescope::app {

GpuThreads::GpuThreads(const std::vector<SweepGpu> &gpus)
    : m_gpus(gpus), m_isBusy(gpus.size()), m_jobs(gpus.size()) {
  for (size_t gpu = 0; gpu < gpus.size(); ++gpu)
    m_threads.emplace_back([this, gpu](const std::stop_token &stop) { work(gpu, stop); });
}

GpuThreads::~GpuThreads() {
  for (std::jthread &thread : m_threads)
    thread.request_stop();
}

bool GpuThreads::anyBusy() const { return std::ranges::find(m_isBusy, true) != m_isBusy.end(); }

void GpuThreads::start(size_t gpu, GpuJob job) {
  assert(isIdle(gpu) && "one job at a time");
  m_isBusy[gpu] = true;
  const std::lock_guard lock(m_mutex);
  m_jobs[gpu] = std::move(job);
  m_changed.notify_all();
}

void GpuThreads::work(size_t gpu, const std::stop_token &stop) {
  for (;;) {
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait(lock, stop, [&] { return m_jobs[gpu].has_value(); }))
      return;
    GpuJob job = std::move(*m_jobs[gpu]);
    m_jobs[gpu].reset();
    lock.unlock();
    job.options.place = m_gpus[gpu].place;
    RunnerHooks hooks;
    hooks.stop = stop;
    auto run = measureTogether(job.packages, job.options, hooks);
    lock.lock();
    m_results.push_back({gpu, std::move(job.points), std::move(run)});
    m_changed.notify_all();
  }
}

GpuResult GpuThreads::wait() {
  assert(anyBusy() && "nothing would ever come");
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return !m_results.empty(); });
  GpuResult result = std::move(m_results.front());
  m_results.pop_front();
  m_isBusy[result.gpu] = false;
  return result;
}

} // namespace tilescope::app
