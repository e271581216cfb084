// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Profile.h"
#include "profiler/driver/Nvml.h"

#include <chrono>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// Reads the state of a device while something is measured, and keeps its extremes.
class ClockWatch {
public:
  explicit ClockWatch(Nvml &nvml);

  /// Takes a reading, unless the last one is younger than `kInterval`: readings take time.
  void read();
  const DeviceConditions &conditions() const { return m_conditions; }

  static constexpr std::chrono::milliseconds kInterval{5};

private:
  Nvml &m_nvml;
  DeviceConditions m_conditions;
  std::chrono::steady_clock::time_point m_last;
};

/// What NVML's bits of reasons for lower clocks mean, sorted; an idle device is none.
std::vector<std::string> throttleReasons(uint64_t bits);

/// What there is to say of times that were measured under these conditions: unstable clocks, and
/// clocks that were held back.
std::vector<std::string> conditionNotes(const DeviceConditions &conditions);

} // namespace tilescope::profiler
