// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <chrono>

namespace tilescope::tests {

/// Who had the machine's processors, in processors: 1 is all the time of one.
struct MachineUse {
  unsigned numProcessors = 0;
  /// This process and its children.
  double own = 0;
  double others = 0;
  /// What the host of a virtual machine took, as far as it tells.
  double host = 0;
};

/// Measures the use of the machine from its construction on.
class MachineClock {
public:
  MachineClock();
  MachineUse use() const;

private:
  /// Seconds of processor time so far.
  struct Totals {
    double busy = 0;
    double host = 0;
    double own = 0;
  };
  static Totals totals();

  Totals m_before = totals();
  std::chrono::steady_clock::time_point m_begin;
};

} // namespace tilescope::tests
