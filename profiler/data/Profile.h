// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a profile adds to the times of a run. Each part may be missing; a value that was not
/// measured is absent, never zero.
namespace tilescope::profiler {

/// Ways to look at a kernel, from the one that says most to the one that needs least.
enum class ProfileRung : uint8_t {
  /// Hardware counters of whole launches.
  Counters,
  /// Samples of program counters with the reasons why warps wait.
  Samples,
  /// Counts by instruction, which code that is added to the kernel makes.
  Executions,
  /// Counters that the device keeps of all that runs on it.
  DeviceWide,
  /// Clock reads inside the kernel.
  Trace,
  /// Times alone.
  Times,
};

/// Which counters a profile is to have.
enum class CounterSet : uint8_t {
  None,
  /// Two launches.
  Quick,
  /// The whole table: some twenty launches.
  Full,
};

/// What a profile is to have beyond times.
struct ProfileWishes {
  CounterSet counters = CounterSet::None;
  bool samples = false;
  bool trace = false;
  bool executions = false;
  bool operator==(const ProfileWishes &) const = default;
};

/// Why a rung cannot be used.
enum class RefusalKind : uint8_t {
  /// The driver lets only administrators use counters.
  NotPermitted,
  /// Another tool holds the counters.
  Busy,
  /// The device, or how it is shared, has none: vGPU, confidential computing, WSL, MIG.
  DeviceUnsupported,
  /// A buffer was too small, or the device has no memory left for it.
  OutOfMemory,
  LibraryMissing,
  LibraryTooOld,
  /// The process that measured ended before it was done.
  Interrupted,
  /// Measuring changes the kernel too much.
  Distorted,
  Other,
};

/// A rung that was asked for and could not be used.
struct Refusal {
  ProfileRung rung = ProfileRung::Counters;
  RefusalKind kind = RefusalKind::Other;
  /// Lower-case start, no full stop.
  std::string reason;
  /// The setting or tool that has to change, and how; empty when nothing is known.
  std::string cure;
  bool operator==(const Refusal &) const = default;
};

/// Hardware counters of one launch, collected in several passes over the same data.
struct CounterData {
  /// As CUPTI names it: `GH100`.
  std::string chip;
  /// The whole table; else its quick part.
  bool isFull = false;
  /// Launches that it took.
  int32_t passes = 0;
  bool coldL2 = true;
  /// By CUPTI's name of the metric, which Nsight Compute uses, too; `Metric.h` says what they are.
  std::map<std::string, double> values;
  bool operator==(const CounterData &) const = default;
};

/// How often the instruction at an offset was found waiting for one reason.
struct StallSample {
  /// Bytes from the start of the function, as SASS shows it.
  uint32_t offset = 0;
  /// Index into `SampleData::reasons`.
  uint32_t reason = 0;
  uint64_t samples = 0;
  /// The part of them in which the scheduler issued nothing at all: the time that was lost.
  uint64_t notIssued = 0;
  bool operator==(const StallSample &) const = default;
};

/// The samples of one line of the document that was compiled.
struct LineSamples {
  /// From 0.
  uint32_t line = 0;
  uint64_t samples = 0;
  uint64_t notIssued = 0;
  /// By reason, those with samples only.
  std::map<std::string, uint64_t> reasons;
  bool operator==(const LineSamples &) const = default;
};

struct SampleData {
  /// Cycles between two samples of a multiprocessor.
  uint64_t periodCycles = 0;
  /// Launches that were sampled.
  int64_t launches = 0;
  /// All samples, those below included.
  uint64_t total = 0;
  /// Lost by the hardware.
  uint64_t dropped = 0;
  /// Of kernels that are not the user's, as the driver's own.
  uint64_t nonUser = 0;
  /// Of other functions, as the kernel that empties the cache.
  uint64_t otherFunctions = 0;
  bool coldL2 = true;
  /// Without prefixes: `long_scoreboard`.
  std::vector<std::string> reasons;
  /// Of the kernel, by offset, then by reason.
  std::vector<StallSample> stalls;
  /// Where the source is known: the lines with samples, in order.
  std::vector<LineSamples> lines;
  /// The part of the kernel's samples, from 0 to 1, that could be given to a line.
  std::optional<double> mappedShare;
  bool operator==(const SampleData &) const = default;

  /// Of the kernel.
  uint64_t kernelSamples() const;
};

/// The least and the most of what was read several times.
struct ValueRange {
  double least = 0;
  double most = 0;
  bool operator==(const ValueRange &) const = default;
};

/// The state of the device between batches of timed launches. What the driver does not say is absent.
struct DeviceConditions {
  int32_t readings = 0;
  std::optional<ValueRange> smClockMhz;
  std::optional<ValueRange> memoryClockMhz;
  std::optional<double> maxSmClockMhz;
  std::optional<ValueRange> powerW;
  std::optional<double> powerLimitW;
  std::optional<ValueRange> temperatureC;
  /// Why clocks were held below the highest ones, at any reading: `power cap`, …; sorted.
  std::vector<std::string> throttleReasons;
  bool operator==(const DeviceConditions &) const = default;

  /// The clock of the multiprocessors changed by more than 2 % of its highest reading.
  bool hasUnstableClock() const;
};

} // namespace tilescope::profiler
