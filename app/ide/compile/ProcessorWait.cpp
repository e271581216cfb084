// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ProcessorWait.h"

#include <filesystem>
#include <fstream>

namespace tilescope::app {

std::optional<std::chrono::milliseconds> processorWait(int64_t process) {
  namespace fs = std::filesystem;
  std::error_code error;
  int64_t waitedNs = 0;
  bool isKnown = false;
  const fs::path tasks = fs::path("/proc") / std::to_string(process) / "task";
  for (fs::directory_iterator task(tasks, error), end; !error && task != end;
       task.increment(error)) {
    // Nanoseconds of work, and of waiting. A thread may be gone by now.
    int64_t workedNs = 0, threadNs = 0;
    if (std::ifstream(task->path() / "schedstat") >> workedNs >> threadNs) {
      waitedNs += threadNs;
      isKnown = true;
    }
  }
  if (!isKnown)
    return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(waitedNs));
}

} // namespace tilescope::app
