// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/ModelQueue.h"

#include <cstdio>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

ModelQueue::ModelQueue(std::vector<std::string> command, ServedModel model, QueueLimits limits)
    : m_model(std::move(model)), m_limits(limits), m_process(std::move(command), m_model),
      m_thread([this] { work(); }) {}

ModelQueue::~ModelQueue() {
  {
    const std::scoped_lock lock(m_mutex);
    m_isEnding = true;
  }
  m_changed.notify_all();
  m_process.interrupt();
  m_thread.join();
}

ServedState ModelQueue::state() const {
  const std::scoped_lock lock(m_mutex);
  return m_state;
}

bool ModelQueue::isEnding() const {
  const std::scoped_lock lock(m_mutex);
  return m_isEnding;
}

void ModelQueue::setReady(const std::string &why) {
  const std::scoped_lock lock(m_mutex);
  m_state.notReady = why;
}

bool ModelQueue::push(Inference inference, Done done) {
  {
    const std::scoped_lock lock(m_mutex);
    if (m_waiting.size() >= m_limits.requests)
      return false;
    m_waiting.push_back({std::move(inference), std::move(done), Clock::now()});
  }
  m_changed.notify_all();
  return true;
}

void ModelQueue::load() {
  setReady(kLoading);
  const Result<std::string> device = m_process.start(m_limits.load);
  if (device)
    std::fprintf(stderr, "`%s` is ready on %s\n", m_model.name.c_str(), device->c_str());
  else
    std::fprintf(stderr, "`%s` is not ready: %s\n", m_model.name.c_str(),
                 device.error().message.c_str());
  setReady(device ? "" : device.error().message);
}

ModelQueue::Outputs ModelQueue::infer(const Waiting &next) {
  const Clock::time_point begin = Clock::now();
  Outputs outputs = m_process.infer(next.inference, m_limits.inference);
  const Clock::time_point end = Clock::now();
  const std::scoped_lock lock(m_mutex);
  InferenceStatistics &statistics = m_state.statistics;
  (outputs ? statistics.success : statistics.failure).add(end - next.arrival);
  if (!outputs)
    return outputs;
  statistics.queue.add(begin - next.arrival);
  statistics.compute.add(end - begin);
  statistics.lastMs = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  return outputs;
}

void ModelQueue::work() {
  load();
  for (;;) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isEnding || !m_waiting.empty(); });
    if (m_isEnding)
      return;
    const Waiting next = std::move(m_waiting.front());
    m_waiting.pop_front();
    const std::string notReady = m_state.notReady;
    lock.unlock();
    if (!notReady.empty()) {
      next.done(Error{ErrorCode::Environment, "the model is not ready: " + notReady, ""});
      continue;
    }
    Outputs outputs = infer(next);
    // Before the answer: a client that asks right after it must not hear that the model is ready.
    const bool isLost = !m_process.isRunning() && !isEnding();
    if (isLost)
      setReady(kLoading);
    next.done(std::move(outputs));
    if (isLost)
      load();
  }
}

} // namespace tilescope::profiler
