// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/TimeComparison.h"
#include "profiler/data/Measurement.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A kernel compiled and measured with many values: sizes, constexprs, options.
namespace tilescope::profiler {

/// Names that change together, and the values that they take: one axis of the product.
struct SweepAxis {
  std::vector<std::string> names;
  /// [value, name]; empty: that name is left as it is.
  std::vector<std::vector<std::string>> values;
  bool operator==(const SweepAxis &) const = default;
};

enum class SweepStatus : uint8_t {
  /// Not looked at yet.
  Open,
  /// Compiled, and not measured: there is no GPU.
  Compiled,
  Measured,
  /// Measured in a few rounds, and given up: another point is much faster.
  StoppedEarly,
  Failed,
};
/// `open`, `compiled`, `measured`, `stopped early`, `failed`.
const char *sweepStatusName(SweepStatus status);

struct SweepPoint {
  /// Of every axis, by name.
  std::map<std::string, std::string> values;
  SweepStatus status = SweepStatus::Open;
  /// Why it failed: one line.
  std::string reason = {};
  /// What is computed (`workText`): times of equal work can be compared.
  std::string work = {};
  std::optional<int64_t> registers = std::nullopt;
  std::optional<int64_t> spillBytes = std::nullopt;
  std::optional<int64_t> sharedBytes = std::nullopt;
  std::optional<int64_t> threads = std::nullopt;
  /// Resident warps over those that there could be.
  std::optional<double> occupancy = std::nullopt;
  std::optional<double> medianUs = std::nullopt;
  std::optional<double> minUs = std::nullopt;
  std::optional<double> maxUs = std::nullopt;
  std::optional<double> gbPerS = std::nullopt;
  std::optional<double> tflopPerS = std::nullopt;
  /// The model of the GPU that measures it, where several models do, or did; empty: not decided.
  std::string model = {};
  /// The place of that GPU (`cuda:1`, `ssh://host`), its number there and its UUID.
  std::string place = {};
  std::optional<int64_t> gpu = std::nullopt;
  std::string uuid = {};
  /// By the static model, for a cold L2 cache: of the model of the GPU, if that is known, else of the
  /// usual device of the target. Nothing where the time cannot be predicted.
  std::optional<double> predictedUs = std::nullopt;
  bool operator==(const SweepPoint &) const = default;

  bool hasTime() const { return medianUs.has_value(); }
};

/// Points that a sweep had, and that are not in its list.
struct SweepLeftOut {
  std::map<SweepStatus, size_t> byStatus;
  /// Of those that failed.
  std::map<std::string, size_t> byReason;
};

struct Sweep {
  std::string file;
  std::string launch;
  std::string kernel;
  std::string target;
  /// Empty without a GPU.
  std::string device;
  std::vector<SweepAxis> axes;
  /// Names of axes that change what is computed: sizes.
  std::vector<std::string> sizes;
  /// Models of GPUs, when there are several: times of different models are never compared.
  std::vector<std::string> models = {};
  /// In the order of the product, the last axis fastest; with several models, once for each.
  std::vector<SweepPoint> points;
  /// What a copy between two buffers reached, on `device`.
  std::optional<double> copyGbPerS = std::nullopt;
  /// The same by model.
  std::map<std::string, double> copyByModel = {};
  /// By model where there are several, else under an empty name.
  std::map<std::string, SweepLeftOut> leftOut = {};
  std::vector<std::string> notes = {};
};

/// The product of the axes, without results; once for each of `models`, where there are any.
std::vector<SweepPoint> sweepPoints(const std::vector<SweepAxis> &axes,
                                    const std::vector<std::string> &models = {});
/// How many points that are; `limit` + 1 when they are more.
size_t countPoints(const std::vector<SweepAxis> &axes, size_t limit);

/// The values of a point that are not sizes: a configuration.
std::map<std::string, std::string> configurationOf(const Sweep &sweep, const SweepPoint &point);
/// `BLOCK = 128, num_warps = 4`
std::string valuesText(const std::map<std::string, std::string> &values);

/// The sweep taken apart: one for each model of GPU that points have, in order of their first point;
/// points that no GPU has come to are last, without a device. A sweep of one model is itself.
std::vector<Sweep> sweepsByModel(const Sweep &sweep);

/// The points of equal work and, with several models, of equal model, in order of their first point.
std::vector<std::vector<size_t>> sweepGroups(const Sweep &sweep);
/// The fastest of some points; nothing when none has a time.
std::optional<size_t> fastestOf(const Sweep &sweep, const std::vector<size_t> &points);
/// Those of which no other one is faster without more registers, by registers.
std::vector<size_t> paretoFront(const Sweep &sweep, const std::vector<size_t> &points);

/// The configuration that is the best over all work.
struct SweepWinner {
  std::map<std::string, std::string> configuration;
  /// The geometric mean, over work, of its time over that of the fastest point; 1: always the
  /// fastest.
  double slowdown = 1;
  /// Its points, one for each work.
  std::vector<size_t> points;
};
/// Nothing when no configuration has a time for all work that has times at all, or when there are
/// several models: each of them has its own winner.
std::optional<SweepWinner> sweepWinner(const Sweep &sweep);

} // namespace tilescope::profiler
