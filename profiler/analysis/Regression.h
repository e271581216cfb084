// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/TimeComparison.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Times of launches against those of an earlier day.
namespace tilescope::profiler {

/// What times depend on beside the kernel. Those under another key say nothing about it.
struct BenchKey {
  std::string gpu;
  /// `13.0`.
  std::string driver;
  /// The program that made the machine code, and its assembler.
  std::string compiler;
  /// The highest clock of the multiprocessors while it was measured; absent without NVML.
  std::optional<double> smClockMhz = std::nullopt;
  bool operator==(const BenchKey &) const = default;
};

/// The times of one launch.
struct BenchRecord {
  /// As the command line named it.
  std::string file;
  std::string launch;
  std::string kernel;
  /// What is computed: sizes and shapes. Values that only say how may change.
  std::string work;
  BenchKey key;
  TimeRounds rounds;
  bool operator==(const BenchRecord &) const = default;

  bool isOf(const BenchRecord &other) const {
    return file == other.file && launch == other.launch && kernel == other.kernel;
  }
};

/// `n = 4096; x_ptr fp32[4096]`
std::string workText(const LaunchPlan &plan);

/// `{"format": "tilescope-bench", "version": 1, "created": …, "records": […]}`
std::string baselineToText(const std::vector<BenchRecord> &records, const std::string &created);
/// A baseline of a later version, or something else, is an error.
Result<std::vector<BenchRecord>> baselineFromText(std::string_view text);

enum class BenchStatus : uint8_t {
  Unchanged,
  Regressed,
  Improved,
  /// The baseline does not have it.
  New,
  /// The baseline has it under another key, or of other work.
  NotComparable,
  /// It could not be measured.
  Failed,
};
/// `unchanged`, `regressed`, `improved`, `new`, `not comparable`, `failed`.
const char *benchStatusName(BenchStatus status);

struct BenchJudgment {
  BenchStatus status = BenchStatus::New;
  /// Why it is not comparable.
  std::string reason;
  /// Present where it was compared.
  std::optional<TimeComparison> comparison;
};

/// Compares a launch with the baseline's record of it. It has regressed when the interval of its
/// slowdown lies above `threshold`, in parts, and improved when it lies below -`threshold`.
BenchJudgment judge(const BenchRecord &record, const std::vector<BenchRecord> &baseline,
                    double threshold);

} // namespace tilescope::profiler
