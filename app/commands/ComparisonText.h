// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/InspectionText.h"
#include "app/commands/MeasureTogether.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace tilescope::app {

/// The times of two kernels that were measured together.
struct TimesOfBoth {
  /// Two kernels without errors.
  std::optional<profiler::InterleavedRun> run;
  profiler::TimeComparison comparison;
  /// Why nothing was to be measured; empty when it was.
  std::string missing;
  /// Why it could not be.
  std::optional<Error> error;
};

/// The lines on times: each kernel's, the verdict, and what there is to say about them.
std::string timesText(const std::array<std::string, 2> &names, const TimesOfBoth &times);

/// `3.1 % slower (2.9 to 3.3 %), with 99 % confidence; p < 0.0001`.
std::string verdictWithConfidence(const profiler::TimeComparison &comparison);

/// The same as fields of a document: `times`, or `times_missing`.
void addTimes(const TimesOfBoth &times, nlohmann::json &document);

/// `{"verdict", "shift", "low", "high", "confidence", "resolution", "at_most", "p_value", "exact"}`
nlohmann::json comparisonJson(const profiler::TimeComparison &comparison);

} // namespace tilescope::app
