// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/driver/Grant.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tilescope::profiler {

/// The state of a device at one moment. What the driver does not say is absent.
struct NvmlReading {
  std::optional<double> smClockMhz;
  std::optional<double> memoryClockMhz;
  std::optional<double> powerW;
  std::optional<double> temperatureC;
  /// NVML's bits; 0: the clocks are not held back.
  uint64_t throttleBits = 0;
};

/// How much a device is in use.
struct NvmlUse {
  std::optional<double> busyPercent = std::nullopt;
  std::optional<double> usedMemoryBytes = std::nullopt;
};

struct NvmlLimits {
  std::optional<double> maxSmClockMhz;
  std::optional<double> powerLimitW;
};

/// NVIDIA's management library. Only reads: it never changes a setting of a device.
class Nvml {
public:
  virtual ~Nvml() = default;

  /// `pciBusId`: as the driver writes it. Before all below.
  virtual Status open(const std::string &pciBusId) = 0;
  virtual NvmlReading read() = 0;
  virtual NvmlLimits limits() = 0;
  virtual NvmlUse use() { return {}; }

  /// Begins to look at the counters that the device keeps of all that runs on it.
  virtual Granted beginActivity() { return notCounted(); }
  /// What they say of the time since then, by the names of `kDeviceWideCounters`; those that the
  /// device does not have are left out.
  virtual Grant<std::map<std::string, double>> activity() { return notCounted(); }

private:
  static DriverRefusal notCounted() {
    return {RefusalKind::DeviceUnsupported, "this device does not count its own activity"};
  }
};

/// Opens libnvidia-ml, which comes with the driver.
Result<std::unique_ptr<Nvml>> loadNvml();

} // namespace tilescope::profiler
