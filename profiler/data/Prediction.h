// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

struct Measurement;

/// Of a line of the document, how much of a warp's time is spent there.
struct PredictedLine {
  /// From 0.
  uint32_t line = 0;
  /// From 0 to 1.
  double share = 0;
  bool operator==(const PredictedLine &) const = default;
};

/// What was predicted for the device of a measurement, before anything ran.
struct Prediction {
  /// `H100 SXM`.
  std::string device;
  /// With a cold L2 cache.
  double us = 0;
  /// `DRAM`: what takes longest.
  std::string bottleneck;
  /// Of PTX: what the assembler makes of it was not known.
  bool isFromPtx = false;
  /// In order.
  std::vector<PredictedLine> lines;
  bool operator==(const Prediction &) const = default;
};

/// Where a measured share of a line comes from.
enum class ShareSource : uint8_t {
  None,
  /// Of the samples that were found there.
  Samples,
  /// Of the time of the traced warps; what is not traced has no share.
  Trace,
};
/// `samples`, `trace`; empty for none.
const char *shareSourceName(ShareSource source);

/// A line's share of the time, from 0 to 1, as predicted and as measured.
struct LineShares {
  uint32_t line = 0;
  std::optional<double> predicted;
  std::optional<double> measured;
  bool operator==(const LineShares &) const = default;

  /// The larger of both.
  double most() const;
  /// Measured less predicted; nothing where one of them is absent.
  std::optional<double> gap() const;
};

/// A prediction beside what was measured.
struct PredictionBeside {
  /// Measured over predicted.
  std::optional<double> ratio;
  ShareSource source = ShareSource::None;
  /// Of the prediction or the measurement, the largest share first.
  std::vector<LineShares> lines;
};
/// Lines come from the samples where there are any that belong to lines, otherwise from the trace.
/// Nothing without a prediction.
std::optional<PredictionBeside> besidePrediction(const Measurement &measurement);

/// A line whose share is further from its prediction, as a part of the whole time, is worth a word.
inline constexpr double kLineGap = 0.2;

} // namespace tilescope::profiler
