// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tilescope::profiler {

/// What `--time-limit` takes: seconds from a millisecond to eleven days, so that they fit a clock.
/// A range of the library's own lets NaN through.
inline CLI::Validator timeLimitRange() {
  const auto check = [](const std::string &text) {
    double seconds = 0;
    const bool fits =
        CLI::detail::lexical_cast(text, seconds) && seconds >= 0.001 && seconds <= 1e6;
    return fits ? std::string() : "`" + text + "` is not between 0.001 and 1000000 seconds";
  };
  return CLI::Validator(check, "SECONDS");
}

} // namespace tilescope::profiler
