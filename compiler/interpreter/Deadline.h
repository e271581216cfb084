// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tilescope::compiler::interpreter {

/// A stop that comes after a time, or with another one.
class Deadline {
public:
  Deadline(std::stop_token other, std::chrono::nanoseconds limit)
      : m_other(std::move(other), [this] { m_source.request_stop(); }),
        m_thread([this, limit](const std::stop_token &isOver) {
          std::unique_lock lock(m_mutex);
          m_wakes.wait_for(lock, isOver, limit, [] { return false; });
          if (!isOver.stop_requested())
            m_source.request_stop();
        }) {}

  std::stop_token token() const { return m_source.get_token(); }

private:
  std::stop_source m_source;
  std::stop_callback<std::function<void()>> m_other;
  std::mutex m_mutex;
  std::condition_variable_any m_wakes;
  std::jthread m_thread;
};

} // namespace tilescope::compiler::interpreter
