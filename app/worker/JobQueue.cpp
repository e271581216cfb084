// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/JobQueue.h"

namespace tilescope::app {

void JobQueue::push(Job job) {
  {
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back(std::move(job));
  }
  m_arrival.request_stop();
  m_changed.notify_one();
}

void JobQueue::cancel(compiler::JobId id) {
  const std::lock_guard lock(m_mutex);
  if (m_runningId == id)
    m_runningStop.request_stop();
  for (Job &job : m_waiting)
    if (job.id() == id)
      job.stop.request_stop();
}

void JobQueue::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_runningStop.request_stop();
    m_waiting.clear();
  }
  m_arrival.request_stop();
  m_changed.notify_one();
}

std::optional<Job> JobQueue::pop() {
  std::unique_lock lock(m_mutex);
  m_runningId.reset();
  m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
  if (m_closed)
    return std::nullopt;
  Job job = std::move(m_waiting.front());
  m_waiting.pop_front();
  m_runningId = job.id();
  m_runningStop = job.stop;
  return job;
}

bool JobQueue::empty() {
  const std::lock_guard lock(m_mutex);
  return m_waiting.empty();
}

} // namespace tilescope::app
