// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/ClockWatch.h"
#include "profiler/driver/CudaDriver.h"

#include <memory>
#include <optional>
#include <string>

namespace tilescope::profiler {

/// NVML watching the device of a job, as far as it can be had.
struct DeviceWatch {
  std::unique_ptr<Nvml> nvml;
  std::optional<ClockWatch> watch;
  /// Why there is none.
  std::string reason;

  void open(CudaDriver &driver, int device);
  /// Adds the conditions, and what there is to say of them, to what was measured meanwhile.
  void addTo(Measurement &measurement) const;
};

} // namespace tilescope::profiler
