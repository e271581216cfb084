// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a measurement: what is accepted can be shown, written and read again.
#include "profiler/data/MeasurementJson.h"
#include "profiler/runner/TextOutput.h"
#include "tests/fuzz/Check.h"

using namespace tilescope::profiler;
using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto measurement = measurementFromText({reinterpret_cast<const char *>(data), size});
  if (!measurement) {
    require(!measurement.error().message.empty(), "a refusal has a message");
    return 0;
  }
  require(!describeMeasurement(*measurement).empty(), "it can be shown");
  require(bool(measurementFromText(measurementToText(*measurement))),
          "what is written can be read");
  return 0;
}
