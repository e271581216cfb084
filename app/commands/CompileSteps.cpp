// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileSteps.h"

#include "app/commands/RunModel.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <sstream>
#include <thread>

namespace tilescope::app {

/// A worker takes some hundred megabytes.
static constexpr unsigned kMostWorkers = 16;

/// What the code depends on in a line `# height = 736` or `# x_ptr = { dtype = "fp32", … }` of a launch block.
static std::string roleOf(const std::string &line) {
  const size_t equals = line.find(" = ");
  if (equals == std::string::npos)
    return line;
  const std::string name = line.substr(0, equals), value = line.substr(equals + 3);
  if (name == "# name" || name == "# grid")
    return "";
  if (value.starts_with("{"))
    return name + value.substr(0, value.find(", shape"));
  const bool isWhole = value.find_first_not_of("0123456789") == std::string::npos;
  if (!isWhole)
    return name + (value.find_first_not_of("-+.e0123456789") == std::string::npos ? "" : value);
  const bool isMultiple = value.size() < 18 && std::stoll(value) % 16 == 0;
  return name + (value == "1" ? " 1" : isMultiple ? " 16" : "");
}

/// Equal for launches whose kernels have equal code.
static std::string codeKey(const ModelPlan::Step &step) {
  std::string key = step.function;
  std::istringstream lines(step.block);
  bool isConstexpr = false;
  for (std::string line; std::getline(lines, line);) {
    isConstexpr |= line == "# [constexprs]";
    key += "\n" + (isConstexpr ? line : roleOf(line));
  }
  return key;
}

std::vector<std::vector<size_t>> equalSteps(const ModelPlan &plan) {
  std::vector<std::vector<size_t>> groups;
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const auto [found, isNew] = known.emplace(codeKey(plan.steps[i]), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

namespace {
/// The groups on their way through the threads, each of which has a worker process.
class StepQueue {
public:
  explicit StepQueue(const StepsToCompile &steps)
      : m_steps(steps), m_groups(equalSteps(steps.plan)) {}

  Status run(compiler::WorkerClient &worker,
             const std::function<Status(size_t, CompiledPackage)> &done);

private:
  void work(compiler::WorkerClient &worker);
  Status deliver(const std::function<Status(size_t, CompiledPackage)> &done);

  const StepsToCompile &m_steps;
  std::vector<std::vector<size_t>> m_groups;
  std::stop_source m_stop;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  size_t m_next = 0;
  std::deque<std::pair<size_t, CompiledPackage>> m_finished;
};
} // namespace

void StepQueue::work(compiler::WorkerClient &worker) {
  compiler::Selection selection;
  selection.target = m_steps.target;
  for (;;) {
    size_t group = 0;
    {
      const std::scoped_lock lock(m_mutex);
      if (m_next == m_groups.size())
        return;
      group = m_next++;
    }
    for (const size_t step : m_groups[group]) {
      if (m_stop.stop_requested())
        return;
      CompiledPackage package =
          compilePackage(worker, stepSource(m_steps.plan, m_steps.plan.steps[step]), selection,
                         {.stop = m_stop.get_token()});
      const std::scoped_lock lock(m_mutex);
      m_finished.emplace_back(step, std::move(package));
      m_changed.notify_one();
    }
  }
}

Status StepQueue::deliver(const std::function<Status(size_t, CompiledPackage)> &done) {
  for (size_t i = 0; i < m_steps.plan.steps.size(); ++i) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_finished.empty() || m_stop.stop_requested(); });
    if (m_stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the run was stopped", ""};
    auto [step, package] = std::move(m_finished.front());
    m_finished.pop_front();
    lock.unlock();
    if (Status status = done(step, std::move(package)); !status)
      return status;
  }
  return {};
}

Status StepQueue::run(compiler::WorkerClient &worker,
                      const std::function<Status(size_t, CompiledPackage)> &done) {
  const std::stop_callback stopping(m_steps.stop, [this] {
    const std::scoped_lock lock(m_mutex);
    m_stop.request_stop();
    m_changed.notify_one();
  });
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  const size_t jobs = std::min<size_t>({m_steps.jobs ? m_steps.jobs : processors, kMostWorkers,
                                        std::max<size_t>(m_groups.size(), 1)});
  compiler::WorkerClientOptions options = worker.options();
  options.numWorkers = static_cast<unsigned>(jobs);
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { work(worker); });
  for (size_t i = 1; i < jobs; ++i)
    threads.emplace_back([&] {
      compiler::WorkerClient other(options);
      work(other);
    });
  Status status = deliver(done);
  m_stop.request_stop();
  return status;
}

Status compileSteps(compiler::WorkerClient &worker, const StepsToCompile &steps,
                    const std::function<Status(size_t, CompiledPackage)> &done) {
  return StepQueue(steps).run(worker, done);
}

} // namespace tilescope::app
