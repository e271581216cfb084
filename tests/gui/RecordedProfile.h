// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/FileIo.h"
#include "profiler/data/ProfileDocument.h"

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// One of `examples/profiles`, recorded on an H100, with its source.
inline profiler::ProfileDocument recordedProfile(const std::string &name) {
  const auto text =
      profiler::readTextFile(std::string(TILESCOPE_EXAMPLES) + "/profiles/" + name + ".json");
  REQUIRE(text);
  const auto profiles = profiler::profilesFromText(*text);
  REQUIRE(profiles);
  return profiles->front();
}

} // namespace tilescope::tests
