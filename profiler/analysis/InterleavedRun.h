// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/TimeComparison.h"
#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

/// What the measurement of several kernels against each other returns, and how it travels.
namespace tilescope::profiler {

/// The version of the request `interleave` and of its answer. It grows when an older reader would
/// misunderstand either.
inline constexpr int kInterleaveProtocol = 1;

/// One of the kernels.
struct InterleavedKernel {
  /// Without `outputs[i].path`; `outputs[i].comparison` is with the first kernel that ran, where it
  /// has an output of the same name, shape and type.
  Measurement measurement = {};
  TimeRounds rounds = {};
  /// It was given up after a few rounds: others are much faster.
  bool isStoppedEarly = false;
  /// Why it was not measured.
  std::optional<Error> error = std::nullopt;
};

struct InterleavedRun {
  /// In the order of the packages; after a fault, up to the kernel that failed.
  std::vector<InterleavedKernel> kernels;
  /// The kernel that failed on the device, after which nothing runs in that process: no times were
  /// taken, and the others can be measured without it.
  std::optional<size_t> fault;
};

/// `[[1.5, 1.6], …]`. Throws as `interleavedFromJson` does, also where there are more than anyone
/// measures.
TimeRounds roundsFromJson(const nlohmann::json &list);

/// `{"protocol": 1, "kernels": [{"measurement": {…}, "rounds": [[…], …], "stopped_early": false} or
/// {"error": {"code", "message", "hint"}}, …], "fault": index}`
nlohmann::json interleavedToJson(const InterleavedRun &run);
/// Throws an exception of the standard library or of nlohmann-json when the object is none, or of
/// another protocol.
InterleavedRun interleavedFromJson(const nlohmann::json &object);

} // namespace tilescope::profiler
