// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Grant.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// The value of one metric at one instruction. An instruction has records of those metrics alone that
/// say something of its kind.
struct InstructionRecord {
  std::string function;
  /// In bytes, from the start of the function.
  uint64_t offset = 0;
  std::string metric;
  uint64_t value = 0;
};

/// CUPTI's SASS metrics: counts by instruction, which code that CUPTI adds to the kernel makes. Calls
/// in the order of their declarations, on the driver's thread, in a process that uses no other part of
/// CUPTI.
class InstructionCounter {
public:
  virtual ~InstructionCounter() = default;

  /// Prepares the device of the current context. Metrics that the chip does not have are left out.
  virtual Granted open(int ordinal, const std::vector<std::string> &metrics) = 0;
  /// Launches from here on are counted.
  virtual Granted start() = 0;
  /// The device must be idle. Returns what was counted, and counts no more.
  virtual Grant<std::vector<InstructionRecord>> take() = 0;
  virtual Granted close() = 0;
};

Grant<std::unique_ptr<InstructionCounter>> loadInstructionCounter();

} // namespace tilescope::profiler
