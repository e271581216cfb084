// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/DeviceWatch.h"

namespace tilescope::profiler {

void DeviceWatch::open(CudaDriver &driver, int device) {
  auto loaded = loadNvml();
  if (!loaded) {
    reason = loaded.error().message;
    return;
  }
  // A device that there is not is reported by the run.
  const auto info = driver.device(device);
  if (!info)
    return;
  if (Status status = (*loaded)->open(info->pciBusId); !status) {
    reason = status.error().message;
    return;
  }
  nvml = std::move(*loaded);
  watch.emplace(*nvml);
}

void DeviceWatch::addTo(Measurement &measurement) const {
  if (!watch) {
    if (!reason.empty())
      measurement.notes.push_back("clocks, power and temperature are not known: " + reason);
    return;
  }
  measurement.conditions = watch->conditions();
  for (std::string &note : conditionNotes(*measurement.conditions))
    measurement.notes.push_back(std::move(note));
}

} // namespace tilescope::profiler
