// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// How often which time was measured, as numbers and words for whatever draws it. Lengths in pixels
/// of the picture at its natural size; y goes down.
struct TimePicture {
  struct Bin {
    double x = 0, width = 0;
    /// Above `baseline`.
    double height = 0;
    int count = 0;
    /// In a sentence.
    std::string description;
  };
  double width = 0, height = 0;
  /// Where bars stand.
  double baseline = 0;
  std::vector<Bin> bins;
  /// The times at both ends, in microseconds.
  double lowUs = 0, highUs = 0;
  /// Later times are in the last bin, too.
  bool hasLater = false;
  /// The median, and the ends of its 95 % confidence interval.
  double medianX = 0, intervalBeginX = 0, intervalEndX = 0;

  std::string summary() const;
  /// What stands at the right end: `13.20 µs and more`.
  std::string endText() const;
};
/// Nothing where fewer than ten single times are known.
std::optional<TimePicture> timePicture(const TimeStats &time);

/// `12.40 µs`.
std::string microsecondsText(double us);

} // namespace tilescope::profiler
