// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/serve/InferenceProtocol.h"

#include <chrono>
#include <cstdint>

namespace tilescope::profiler {

/// How often something was done, and how long that took in all.
struct CountedTime {
  uint64_t count = 0;
  std::chrono::nanoseconds time{};

  void add(std::chrono::nanoseconds each) {
    ++count;
    time += each;
  }
};

/// What a server has done since it began.
struct InferenceStatistics {
  /// From their arrival to their answer.
  CountedTime success, failure;
  /// Of those that succeeded: until they had their turn, and from then on.
  CountedTime queue, compute;
  /// When the last one succeeded, in milliseconds of the Unix epoch; 0: none has.
  int64_t lastMs = 0;
};

/// As Triton Inference Server's extension for statistics has it.
nlohmann::json statisticsJson(const ServedModel &model, const InferenceStatistics &statistics);
/// As its extension for a model's configuration has it.
nlohmann::json configurationJson(const ServedModel &model);

} // namespace tilescope::profiler
