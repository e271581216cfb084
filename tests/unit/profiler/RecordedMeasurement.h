// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"

#include <catch2/catch.hpp>
#include <string>

namespace tilescope::profiler::test {

/// A profile of tests/support/recorded.
inline Measurement recorded(const std::string &name) {
  const Result<std::string> text =
      readTextFile(std::string(TILESCOPE_RECORDED) + "/" + name + ".json");
  REQUIRE(text);
  const Result<Measurement> measurement = measurementFromText(*text);
  REQUIRE(measurement);
  return *measurement;
}

} // namespace tilescope::profiler::test
