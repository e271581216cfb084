// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/bench/views/ProcessMemory.h"

#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <string>
#include <unistd.h>

namespace tilescope::tests {

static constexpr double kMiB = 1 << 20;

/// 0 when the process is gone.
static double residentMiB(const std::string &process) {
  std::ifstream status("/proc/" + process + "/statm");
  double total = 0;
  double resident = 0;
  status >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / kMiB;
}

ProcessMemory processMemory(long long compilerId) {
  const struct mallinfo2 heap = mallinfo2();
  ProcessMemory memory;
  memory.window = residentMiB("self");
  memory.windowInUse = static_cast<double>(heap.uordblks + heap.hblkhd) / kMiB;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;)
      (child == std::to_string(compilerId) ? memory.compiler : memory.run) += residentMiB(child);
  }
  return memory;
}

} // namespace tilescope::tests
