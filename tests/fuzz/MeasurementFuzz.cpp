// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a measurement, or a profile: what is accepted can be shown, written and read again.
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/analysis/ProfilePictures.h"
#include "profiler/analysis/TimePicture.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/ProfileDocument.h"
#include "profiler/runner/TextOutput.h"
#include "tests/fuzz/Check.h"

using namespace tilescope::profiler;
using tilescope::fuzz::require;

/// What a profile is drawn from.
static void draw(const Measurement &measurement) {
  require(ladderRungs(measurement).size() == 7, "each rung is told");
  occupancyBars(measurement);
  if (measurement.timeUs)
    timePicture(*measurement.timeUs);
  if (!measurement.counters)
    return;
  pipeBars(*measurement.counters);
  warpStateBars(*measurement.counters);
  memoryPicture(*measurement.counters);
  rooflinePicture(*measurement.counters);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto profiles = profilesFromText({reinterpret_cast<const char *>(data), size});
  require(profiles || !profiles.error().message.empty(), "a refused profile has a reason");
  if (profiles)
    for (const ProfileDocument &profile : *profiles)
      draw(profile.measurement);
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
