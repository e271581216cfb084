// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Profile.h"

namespace tilescope::profiler {

uint64_t SampleData::kernelSamples() const {
  uint64_t sum = 0;
  for (const StallSample &stall : stalls)
    sum += stall.samples;
  return sum;
}

bool DeviceConditions::hasUnstableClock() const {
  constexpr double kStable = 0.02;
  return smClockMhz && smClockMhz->most - smClockMhz->least > kStable * smClockMhz->most;
}

} // namespace tilescope::profiler
