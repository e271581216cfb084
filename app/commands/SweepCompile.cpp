// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepCompile.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tilescope::app {

namespace {
/// The points on their way through the threads, each of which has a worker process.
class CompileQueue {
public:
  CompileQueue(const InputFile &input, const std::vector<PointToCompile> &points,
               compiler::WorkerClientOptions options)
      : m_input(input), m_points(points), m_options(std::move(options)) {}

  Status run(unsigned numThreads, const std::function<Status(CompiledPoint)> &done) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < numThreads; ++i)
      threads.emplace_back([this] { work(); });
    const Status status = deliver(done);
    m_stop.request_stop();
    return status;
  }

private:
  void work();
  Status deliver(const std::function<Status(CompiledPoint)> &done);

  const InputFile &m_input;
  const std::vector<PointToCompile> &m_points;
  compiler::WorkerClientOptions m_options;
  std::stop_source m_stop;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  size_t m_next = 0;
  std::deque<CompiledPoint> m_finished;
};
} // namespace

void CompileQueue::work() {
  compiler::WorkerClient worker(m_options);
  for (;;) {
    const PointToCompile *point = nullptr;
    {
      const std::lock_guard lock(m_mutex);
      if (m_next == m_points.size() || m_stop.stop_requested())
        return;
      point = &m_points[m_next++];
    }
    CompiledPackage package =
        compilePackage(worker, m_input, point->selection,
                       {.stop = m_stop.get_token(), .estimate = point->estimate});
    const std::lock_guard lock(m_mutex);
    m_finished.push_back({point->index, std::move(package)});
    m_changed.notify_one();
  }
}

Status CompileQueue::deliver(const std::function<Status(CompiledPoint)> &done) {
  for (size_t i = 0; i < m_points.size(); ++i) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_finished.empty(); });
    CompiledPoint point = std::move(m_finished.front());
    m_finished.pop_front();
    lock.unlock();
    // A worker that cannot be started fails for every point.
    if (!point.package.package && point.package.package.error().code == ErrorCode::Environment)
      return point.package.package.error();
    if (Status status = done(std::move(point)); !status)
      return status;
  }
  return {};
}

Status compilePoints(const InputFile &input, const std::vector<PointToCompile> &points,
                     unsigned jobs, std::optional<double> timeLimit,
                     const std::function<Status(CompiledPoint)> &done) {
  if (points.empty())
    return {};
  compiler::WorkerClientOptions options = workerOptions(timeLimit);
  const auto numThreads =
      static_cast<unsigned>(std::min<size_t>(std::max(1u, jobs), points.size()));
  options.numWorkers = numThreads;
  return CompileQueue(input, points, std::move(options)).run(numThreads, done);
}

} // namespace tilescope::app
