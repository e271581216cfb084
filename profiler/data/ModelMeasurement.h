// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::profiler {

/// A launch of a model.
struct StepMeasurement {
  std::string node;
  /// Its symbol.
  std::string kernel;
  /// The median of a few runs of all steps one after another; nothing for an empty grid.
  std::optional<double> us;
  /// When it began in one run of the graph, in microseconds from the first kernel's begin, and how long it ran there,
  /// maybe beside others; nothing: not recorded.
  std::optional<double> startUs = {}, graphUs = {};
  int64_t registers = 0;
  int64_t sharedBytes = 0;
  int64_t spillBytes = 0;
  bool operator==(const StepMeasurement &) const = default;
};

/// What a run of a model on a device took.
struct ModelMeasurement {
  DeviceInfo device;
  /// Loading the kernels and moving the weights to the device, in microseconds.
  double prepareUs = 0;
  /// All steps one after another for the first time, each waited for.
  double firstUs = 0;
  /// All steps as one CUDA graph, again and again with the caches as it leaves them; nothing: not measured.
  std::optional<TimeStats> graphUs;
  /// Pairs of steps of which one waits for the other.
  int64_t edges = 0;
  /// The clock of `StepMeasurement::us`.
  TimeSource stepSource = TimeSource::Cupti;
  /// In the package's order.
  std::vector<StepMeasurement> steps;
  std::vector<std::string> notes;
  bool operator==(const ModelMeasurement &) const = default;
};

nlohmann::json modelMeasurementToJson(const ModelMeasurement &measurement);
/// Throws an exception of the standard library or of nlohmann-json when the object is none.
ModelMeasurement modelMeasurementFromJson(const nlohmann::json &object);

} // namespace tilescope::profiler
