// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Grant.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::profiler {

struct PcSamplerSetup {
  /// Every 2^p cycles each multiprocessor is looked at; 5 to 31.
  uint32_t periodExponent = 12;
  /// On the device.
  size_t hardwareBufferBytes = size_t(256) << 20;
};

/// How often an instruction was found waiting, by the number of the reason.
struct PcRecord {
  std::string function;
  /// In bytes, from the start of the function.
  uint64_t offset = 0;
  std::vector<std::pair<uint32_t, uint64_t>> reasons;
};

struct PcRecords {
  uint64_t total = 0;
  uint64_t dropped = 0;
  uint64_t nonUser = 0;
  std::vector<PcRecord> records;
};

/// CUPTI's samples of program counters. Calls in the order of their declarations, on the driver's
/// thread, in a process that uses no other part of CUPTI.
class PcSampler {
public:
  virtual ~PcSampler() = default;

  /// Prepares the current context. Returns the names of the reasons by their numbers.
  virtual Grant<std::map<uint32_t, std::string>> open(const PcSamplerSetup &setup) = 0;
  /// The device must be idle at both; launches between them are sampled. May be repeated.
  virtual Granted start() = 0;
  virtual Granted stop() = 0;
  /// All samples since the last call. `OutOfMemory`: the buffer overflowed, and all are lost.
  virtual Grant<PcRecords> take() = 0;
  virtual Granted close() = 0;
};

Grant<std::unique_ptr<PcSampler>> loadPcSampler();

} // namespace tilescope::profiler
