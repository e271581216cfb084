// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ProgressReport.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tilescope::compiler::interpreter {

ProgressReport::ProgressReport(const InterpreterOptions &options, const std::atomic<uint64_t> &done,
                               uint64_t total) {
  if (!options.progress)
    return;
  m_thread = std::jthread([&options, &done, total](std::stop_token stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wake;
    constexpr std::chrono::milliseconds kInterval(200);
    while (!wake.wait_for(lock, stop, kInterval, [&] { return stop.stop_requested(); }))
      options.progress(done, total);
  });
}

} // namespace tilescope::compiler::interpreter
