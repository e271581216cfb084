// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// One kernel execution as the device recorded it.
struct KernelRecord {
  std::string name;
  /// On CUPTI's clock.
  uint64_t startNs = 0;
  uint64_t endNs = 0;
  std::array<int32_t, 3> grid = {1, 1, 1};
  int32_t registers = 0;
  int32_t staticSharedBytes = 0;
  int32_t dynamicSharedBytes = 0;
  /// Of the node of a graph that it was launched for: a later node has a larger number. 0: there is none.
  uint64_t graphNode = 0;
  bool operator==(const KernelRecord &) const = default;
};

/// CUPTI's activity records. The same thread as the driver's.
class Cupti {
public:
  virtual ~Cupti() = default;

  /// Starts recording. Call before the context is opened, so that no launch is missed.
  virtual Status enable() = 0;
  /// Ends recording.
  virtual Status disable() = 0;
  /// The records since the last call, in the order of their start. Synchronize first.
  virtual Result<std::vector<KernelRecord>> take() = 0;
};

/// Opens libcupti. An environment error says what is missing.
Result<std::unique_ptr<Cupti>> loadCupti();
/// Where libcupti lies; empty when it is not found.
std::string cuptiFolder();

} // namespace tilescope::profiler
