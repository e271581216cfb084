// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/Grant.h"

namespace tilescope::profiler {

RefusalKind refusalKind(int cuptiResult) {
  // The names are those of cupti_result.h without their beginning.
  switch (cuptiResult) {
  case 35: // INSUFFICIENT_PRIVILEGES
  case 40: // VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
    return RefusalKind::NotPermitted;
  case 26: // HARDWARE_BUSY
  case 36: // OLD_PROFILER_API_INITIALIZED
  case 39: // MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
    return RefusalKind::Busy;
  case 27: // NOT_SUPPORTED
  case 33: // VIRTUALIZED_DEVICE_NOT_SUPPORTED
  case 38: // LEGACY_PROFILER_NOT_SUPPORTED
  case 41: // CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
  case 42: // CMP_DEVICE_NOT_SUPPORTED
  case 43: // MIG_DEVICE_NOT_SUPPORTED
  case 44: // SLI_DEVICE_NOT_SUPPORTED
  case 45: // WSL_DEVICE_NOT_SUPPORTED
    return RefusalKind::DeviceUnsupported;
  case 8: // OUT_OF_MEMORY
    return RefusalKind::OutOfMemory;
  case 11: // API_NOT_IMPLEMENTED
  case 14: // NOT_COMPATIBLE
  case 46: // INVALID_CHIP_NAME
    return RefusalKind::LibraryTooOld;
  default:
    return RefusalKind::Other;
  }
}

} // namespace tilescope::profiler
