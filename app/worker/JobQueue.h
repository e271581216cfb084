// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace tilescope::app {

/// A request that takes time, with the means to stop it.
struct Job {
  std::variant<compiler::CompileMessage, compiler::InterpretMessage, compiler::InspectMessage,
               compiler::StepMessage, compiler::ModelMessage>
      message;
  std::stop_source stop;

  compiler::JobId id() const {
    return std::visit([](const auto &m) { return m.job; }, message);
  }
};

/// Between the thread that reads requests and the one that works.
class JobQueue {
public:
  void push(Job job);
  /// Stops the job, whether it waits or runs. Jobs that are done are unknown.
  void cancel(compiler::JobId id);
  /// Stops everything; `pop` returns nothing from now on.
  void close();
  /// Waits for the next job. Nothing: the queue was closed.
  std::optional<Job> pop();
  bool empty();
  /// Asked to stop as soon as any job arrives: for work that only fills the time.
  std::stop_token arrival() const { return m_arrival.get_token(); }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Job> m_waiting;
  std::optional<compiler::JobId> m_runningId;
  std::stop_source m_runningStop;
  std::stop_source m_arrival;
  bool m_closed = false;
};

} // namespace tilescope::app
