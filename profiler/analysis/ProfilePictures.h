// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <optional>
#include <string>
#include <vector>

/// Pictures of a profile as numbers and words, for whatever draws them. Lengths in pixels of the
/// picture at its natural size; y goes down.
namespace tilescope::profiler {

struct BarRow {
  std::string name;
  /// In a sentence.
  std::string description;
  std::string value;
  /// From 0 to 1 of the room for bars.
  double length = 0;
  /// Drawn fainter: a state that is no wait.
  bool isFaint = false;
};
struct BarPicture {
  /// Names end at `kNameEnd`, bars begin at `kBarBegin` and have this much room; values are behind
  /// them.
  static constexpr double kWidth = 550, kRowHeight = 24, kNameEnd = 178, kBarBegin = 186,
                          kBarRoom = 240;
  std::string title;
  std::vector<BarRow> rows;

  double height() const { return kRowHeight * static_cast<double>(rows.size()); }
  /// All that the picture shows, in one line.
  std::string summary() const;
};
/// How near the parts of the device came to what they can sustain. Without rows: nothing of it was
/// measured.
BarPicture speedOfLightBars(const CounterData &counters);
/// How long a warp was in which state between two of its instructions, the longest first.
BarPicture warpStateBars(const CounterData &counters);

/// How busy the arithmetic pipes and tensor cores were.
BarPicture pipeBars(const CounterData &counters);
/// How many warps could be resident, and how many were; what is not known is left out.
BarPicture occupancyBars(const Measurement &measurement);

/// What flowed between the memories in one launch:
///
///     registers <-> L1, shared memory <-> L2 <-> DRAM
struct MemoryPicture {
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    /// The name first.
    std::vector<std::string> lines = {};
  };
  struct Arrow {
    /// From its end to its head, along a line.
    double beginX = 0, endX = 0, y = 0;
    /// The square root of the bytes' share of the most, at least 1.
    double thickness = 1;
    /// It was measured, and nothing flowed.
    bool isNone = false;
    std::string text;
    std::string description;
  };
  double width = 0, height = 0;
  std::vector<Box> boxes;
  /// Those that were measured.
  std::vector<Arrow> arrows;

  std::string summary() const;
};
/// Nothing where no traffic was measured.
std::optional<MemoryPicture> memoryPicture(const CounterData &counters);

/// Operations per second over operations per byte, both on logarithmic axes.
struct RooflinePicture {
  struct Tick {
    double position = 0;
    std::string text;
  };
  struct Line {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    /// The slope of a memory; else the peak of a unit.
    bool isRoof = false;
    std::string name;
    std::string description;
  };
  struct Point {
    double x = 0, y = 0;
    /// Base line of its name, which is centered below or above it, clear of the other names.
    double nameY = 0;
    std::string name;
    std::string description;
  };
  double width = 0, height = 0;
  /// Of the frame.
  double left = 0, right = 0, top = 0, bottom = 0;
  std::vector<Tick> xTicks, yTicks;
  /// Of units that the kernel used.
  std::vector<Line> lines;
  /// Where the kernel stands under each roof, but for those that it hardly used.
  std::vector<Point> points;
  /// Of the kernel.
  double operationsPerS = 0;

  std::string summary() const;
};
/// Nothing where the kernel did no arithmetic, or it was not measured.
std::optional<RooflinePicture> rooflinePicture(const CounterData &counters);

} // namespace tilescope::profiler
