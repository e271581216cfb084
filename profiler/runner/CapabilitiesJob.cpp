// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/CapabilitiesJob.h"

#include "profiler/collect/CollectCapabilities.h"
#include "profiler/driver/Cupti.h"
#include "profiler/driver/DriverLibrary.h"

namespace tilescope::profiler {

static void note(const Error &error, LibraryState &library) {
  library.fault = error.message;
  library.hint = error.hint;
}

Capabilities capabilitiesHere() {
  Capabilities capabilities = machineCapabilities();
  if (const auto library = openCudaLibrary())
    capabilities.driver.folder = library->folder();
  const auto driver = loadCudaDriver();
  if (!driver) {
    note(driver.error(), capabilities.driver);
  } else {
    const auto nvml = loadNvml();
    if (Status status = addDevices(**driver, nvml ? nvml->get() : nullptr, capabilities); !status)
      note(status.error(), capabilities.driver);
  }
  capabilities.cupti.folder = cuptiFolder();
  if (const auto cupti = loadCupti(); !cupti)
    note(cupti.error(), capabilities.cupti);
  if (!capabilities.devices.empty())
    addCounters(readSurroundings(), capabilities);
  return capabilities;
}

} // namespace tilescope::profiler
