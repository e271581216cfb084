// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/bench/views/MachineUse.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace tilescope::tests {

/// Ticks of processor time that a process had so far.
static double ticksOf(const std::string &process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  std::getline(file, text);
  // The name, in parentheses, may hold anything. Eleven more fields stand before the times.
  const size_t name = text.rfind(')');
  std::istringstream fields(name == std::string::npos ? std::string() : text.substr(name + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field)
    fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return user + system;
}

MachineClock::Totals MachineClock::totals() {
  std::ifstream file("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, io = 0, interrupts = 0, soft = 0, host = 0;
  file >> name >> user >> nice >> system >> idle >> io >> interrupts >> soft >> host;
  double own = ticksOf("self");
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;)
      own += ticksOf(child);
  }
  const auto perSecond = static_cast<double>(sysconf(_SC_CLK_TCK));
  return {(user + nice + system + interrupts + soft) / perSecond, host / perSecond,
          own / perSecond};
}

MachineClock::MachineClock() : m_begin(std::chrono::steady_clock::now()) {}

MachineUse MachineClock::use() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_begin;
  const Totals now = totals();
  const double own = (now.own - m_before.own) / elapsed.count();
  const double busy = (now.busy - m_before.busy) / elapsed.count();
  return {std::thread::hardware_concurrency(), own, std::max(0.0, busy - own),
          (now.host - m_before.host) / elapsed.count()};
}

} // namespace tilescope::tests
