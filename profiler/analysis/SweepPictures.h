// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"

#include <string>
#include <utility>
#include <vector>

/// Pictures of a sweep as numbers and words, for whatever draws them: reports and the window. Lengths
/// in pixels of the picture at its natural size; y goes down.
namespace tilescope::profiler {

/// What something in a picture stands for, which decides its color.
enum class SweepInk : uint8_t {
  /// What is best: the fastest at each size, the Pareto front, a cell of a heat map.
  Best,
  /// One configuration for all sizes.
  Winner,
  /// Any other point.
  Other,
  /// The line that joins the Pareto front.
  Front,
  Grid,
  /// What the device reaches.
  Ceiling,
  Label,
  /// A name of an axis in a heat map.
  Name,
  Faint,
};

struct SweepSpot {
  double x = 0, y = 0;
};

struct SweepLine {
  SweepInk ink{};
  std::vector<SweepSpot> spots;
};

/// A point of the sweep: a disc, or a cell with a number.
struct SweepMark {
  /// Among the sweep's points.
  size_t point = 0;
  SweepInk ink{};
  /// Of the disc's center, or of the cell's corner.
  double x = 0, y = 0;
  /// Of the disc; 0: it is a cell.
  double radius = 0;
  double width = 0, height = 0;
  /// How much of its color a cell has, from 0 to 1.
  double strength = 1;
  std::string number = {};
};

struct SweepWord {
  enum class Anchor : uint8_t { Start, Middle, End };
  /// Of the base line.
  double x = 0, y = 0;
  std::string text;
  Anchor anchor = Anchor::Start;
  SweepInk ink = SweepInk::Label;
  /// From the bottom to the top, around its place.
  bool isUpright = false;
};

/// A disc of the legend.
struct SweepSample {
  SweepInk ink{};
  double x = 0, y = 0, radius = 4;
};

struct SweepPicture {
  /// `GB/s over n`.
  std::string title;
  /// A sentence below it.
  std::string caption;
  /// The sizes that its points have, where the sweep changes them; empty: all of them.
  std::string group;
  double width = 0, height = 0;
  std::vector<SweepLine> lines;
  std::vector<SweepMark> marks;
  std::vector<SweepWord> words;
  std::vector<SweepSample> samples;

  bool isEmpty() const { return marks.empty(); }
};

/// What a line plot shows of a point.
struct SweepQuantity {
  /// `GB/s`.
  std::string name;
  std::optional<double> SweepPoint::*value;
  /// What a line across the plot stands for; nothing without one.
  std::optional<double> ceiling = std::nullopt;
  std::string ceilingName = {};
};

/// A quantity over a size: of the fastest point at each, and of the winner's configuration. Empty
/// when the axis is not of numbers, or has less than two.
SweepPicture sweepLinePicture(const Sweep &sweep, const SweepAxis &axis,
                              const SweepQuantity &quantity);

/// Time over the values of two names for points of equal work: the fastest of what the other names
/// leave, as a multiple of the fastest of all. Empty when there is no time.
SweepPicture sweepHeatPicture(const Sweep &sweep, const std::vector<size_t> &points,
                              const std::string &columnName, const std::string &rowName);

/// Time over registers for points of equal work, with the Pareto front. Empty when less than two
/// points have both.
SweepPicture sweepScatterPicture(const Sweep &sweep, const std::vector<size_t> &points);

/// The values that a name takes at some points: numbers in order, others in that of the points.
std::vector<std::string> valuesAt(const Sweep &sweep, const std::vector<size_t> &points,
                                  const std::string &name);

/// All that there is to be drawn: rates over sizes, then, for each work, time over registers and over
/// pairs of names. Of many works or pairs the first ones.
std::vector<SweepPicture> sweepPictures(const Sweep &sweep);
/// How many works have no pictures of their own among `sweepPictures`.
size_t numGroupsWithoutPictures(const Sweep &sweep);

} // namespace tilescope::profiler
