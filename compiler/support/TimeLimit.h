// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tilescope {

/// Passes on a request to stop, and makes one itself when the time is over. Any thread may ask.
class TimeLimit {
public:
  /// 0: no limit.
  TimeLimit(std::stop_token outer, std::chrono::milliseconds limit)
      : m_passOn(std::move(outer), [this] { m_stop.request_stop(); }) {
    if (limit.count() > 0)
      m_watch = std::jthread([this, limit](std::stop_token ended) {
        std::unique_lock lock(m_mutex);
        if (m_wake.wait_for(lock, ended, limit, [&] { return ended.stop_requested(); }))
          return;
        m_isOver = true;
        m_stop.request_stop();
      });
  }

  std::stop_token token() const { return m_stop.get_token(); }
  bool isOver() const { return m_isOver; }

private:
  std::stop_source m_stop;
  std::atomic<bool> m_isOver = false;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::stop_callback<std::function<void()>> m_passOn;
  std::jthread m_watch;
};

} // namespace tilescope
