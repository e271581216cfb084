// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/CpuExecution.h"
#include "profiler/data/DeviceWide.h"
#include "profiler/data/Executions.h"
#include "profiler/data/MatchDoubt.h"
#include "profiler/data/Prediction.h"
#include "profiler/data/Profile.h"
#include "profiler/data/Trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// What the driver says about a device. 0: not known.
struct DeviceInfo {
  int32_t ordinal = 0;
  std::string name;
  /// `0000:3b:00.0`.
  std::string pciBusId = {};
  /// `GPU-8c2f…`: the same for this device on any machine and at any time; empty: not known.
  std::string uuid = {};
  int32_t computeMajor = 0;
  int32_t computeMinor = 0;
  int32_t numSms = 0;
  int64_t memoryBytes = 0;
  int64_t l2Bytes = 0;
  int64_t smClockKHz = 0;
  int64_t memoryClockKHz = 0;
  int32_t memoryBusBits = 0;
  int64_t registersPerSm = 0;
  int64_t sharedBytesPerSm = 0;
  /// The most that one block can opt in to.
  int64_t sharedBytesPerBlock = 0;
  int64_t reservedSharedBytesPerBlock = 0;
  int32_t threadsPerSm = 0;
  int32_t blocksPerSm = 0;
  /// As the driver writes it: 13000 is 13.0.
  int32_t driverVersion = 0;
  bool operator==(const DeviceInfo &) const = default;
};

/// Kernel times in microseconds.
struct TimeStats {
  double median = 0;
  double min = 0;
  double max = 0;
  int64_t n = 0;
  /// Half the width of the median's 95 % confidence interval, as a fraction of the median.
  double spread = 0;
  std::vector<double> samples;
  bool operator==(const TimeStats &) const = default;
};

/// The clock that measured the times.
enum class TimeSource : uint8_t {
  /// CUPTI activity records: the device's own start and end of each kernel.
  Cupti,
  /// CUDA events around each launch: includes some launch overhead.
  Events,
  /// Wall clock of the interpreter on the CPU: says nothing about a GPU.
  Interpreter,
};

/// What a launch costs beside the kernel's own time. Medians, in microseconds.
struct LaunchOverhead {
  /// The call of the driver that puts a launch into an empty queue.
  double callUs = 0;
  /// Of a lone launch, from the call until the kernel's end is known, what is beyond the kernel's
  /// time.
  double aloneUs = 0;
  int64_t n = 0;
  bool operator==(const LaunchOverhead &) const = default;
};

/// How many programs of a kernel fit on one multiprocessor, and what keeps more from fitting.
struct Occupancy {
  int32_t blocksPerSm = 0;
  int32_t warpsPerSm = 0;
  int32_t maxWarpsPerSm = 0;
  /// warpsPerSm / maxWarpsPerSm.
  double fraction = 0;
  /// `warps`, `blocks`, `registers` or `shared memory`; several joined by `, `.
  std::string limiter;
  /// Blocks that each resource alone would allow, in the order warps, blocks, registers, shared
  /// memory.
  std::array<int32_t, 4> blocksByLimit = {0, 0, 0, 0};
  bool operator==(const Occupancy &) const = default;
};

/// See `OutputComparison::loose`.
inline constexpr double kLooseShare = 0.05;
/// See `MatchDoubt::LeftOut`.
inline constexpr double kLeftOutShare = 0.1;

/// How an output differs from its reference.
struct OutputComparison {
  double maxAbsError = 0;
  double maxRelError = 0;
  /// Norm of the difference over the norm of the reference.
  double relErrorInNorm = 0;
  /// Of the output.
  int64_t elements = 0;
  /// Elements outside the tolerance. NaN never passes.
  int64_t mismatches = 0;
  /// Elements that neither side wrote (both hold the poison of a tensor without initial data).
  int64_t unwritten = 0;
  /// Flat index and coordinates of the first mismatch; empty when there is none.
  std::vector<int64_t> firstMismatch;
  double firstActual = 0;
  double firstExpected = 0;
  /// Where the largest absolute error is; empty for an empty tensor.
  std::vector<int64_t> worst;
  double worstActual = 0;
  double worstExpected = 0;
  /// The tolerance used: |actual - expected| <= absolute + relative * |expected|.
  double absoluteTolerance = 0;
  double relativeTolerance = 0;
  /// The reference is what the launch block expects; else it is the interpreter's result.
  bool isWithExpected = false;
  /// Each element has a range of its own; `absoluteTolerance` is the most that one goes beyond the
  /// relative tolerance of what is expected.
  bool isTolerancePerElement = false;
  /// Elements of which nothing can be expected, since that is no number: they are left out.
  int64_t undefined = 0;
  /// Elements that are neither 0 nor denormal, and would have passed as 0.
  int64_t indistinct = 0;
  /// Elements whose tolerance, before they are rounded to their type, is more than `kLooseShare` of what is
  /// expected, where these are most.
  int64_t loose = 0;
  /// Elements that only pass where all roundings on the way go one way, or where the kernel rounds as
  /// coarsely as it may.
  int64_t unlikely = 0;
  /// Elements that only pass by the relative tolerance, and are off by several times what is rounded on the
  /// way, where these are most.
  int64_t unexplained = 0;
  /// Of `MatchDoubt::Bias`: by which share of what is expected all elements together are too large.
  double bias = 0;
  /// Of `MatchDoubt::NarrowSums`: elements that are not as expected where the kernel computes in fp32.
  int64_t differWide = 0;
  /// Elements of an integer type of which what is expected is not an integer.
  int64_t fractions = 0;
  /// Of a comparison without mismatches.
  MatchDoubt doubt = MatchDoubt::None;
  /// Set when nothing could be compared (shapes or types differ), with the reason.
  std::string fault;
  bool operator==(const OutputComparison &) const = default;

  bool ok() const { return fault.empty() && mismatches == 0; }
};

/// A tensor argument after the run.
struct OutputResult {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  /// Holds different bits than before the run.
  bool changed = false;
  /// The `.npy` file, when one was asked for.
  std::string path;
  std::optional<OutputComparison> comparison;
  /// Elements that still hold the poison of a tensor without initial data; absent for others.
  std::optional<int64_t> neverWritten = std::nullopt;
  /// Coordinates of the first of them.
  std::vector<int64_t> firstNeverWritten = {};
  /// The launch block guesses the shape, or the grid, so that what was never written may be no fault
  /// of the kernel.
  bool isShapeGuess = false;
  bool isGridGuess = false;
  /// Elements that were written and are no numbers; absent where nobody has looked.
  std::optional<int64_t> numNan = std::nullopt;
  std::optional<int64_t> numInfinite = std::nullopt;
  bool operator==(const OutputResult &) const = default;

  /// What the launch block expects could not be worked out, so that the output may be right.
  bool isUnchecked() const {
    return comparison && comparison->isWithExpected && !comparison->fault.empty();
  }
  /// Differs from what it was compared with.
  bool isWrong() const { return comparison && !comparison->ok() && !isUnchecked(); }
};

/// All results of one run on a device. A missing value is absent, never zero.
struct Measurement {
  DeviceInfo device;
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// Of the kernel, warm-up included.
  int64_t launches = 0;
  /// Absent when only the outputs were asked for, or for an empty grid.
  std::optional<TimeStats> timeUs;
  TimeSource timeSource = TimeSource::Cupti;
  std::optional<LaunchOverhead> launchOverhead = std::nullopt;
  /// The L2 cache was flushed before every timed launch.
  bool coldL2 = true;
  std::optional<double> bytes;
  std::optional<double> flops;
  std::optional<double> gbPerS;
  std::optional<double> tflopPerS;
  /// gbPerS over the device's peak memory bandwidth.
  std::optional<double> peakFraction;
  std::optional<double> peakGbPerS;
  /// What a device-to-device copy reached on this device in this run, reads and writes counted.
  std::optional<double> copyGbPerS;
  std::optional<double> peakFp32TflopPerS;
  std::optional<int64_t> registers;
  std::optional<int64_t> sharedBytes;
  std::optional<int64_t> spillBytes;
  std::optional<int64_t> threads;
  std::optional<Occupancy> occupancy;
  std::vector<OutputResult> outputs;
  /// Of a run on the CPU.
  std::optional<CpuExecution> execution = std::nullopt;
  /// The parts of a profile, where they were asked for and could be had.
  std::optional<CounterData> counters = std::nullopt;
  std::optional<SampleData> samples = std::nullopt;
  std::optional<ExecutionData> executions = std::nullopt;
  std::optional<DeviceWideData> deviceWide = std::nullopt;
  std::optional<TraceData> trace = std::nullopt;
  std::optional<DeviceConditions> conditions = std::nullopt;
  /// What was predicted for this device; who measures does not predict.
  std::optional<Prediction> prediction = std::nullopt;
  /// Parts that were asked for and could not be had.
  std::vector<Refusal> refusals = {};
  /// What the user should know: why a fallback was used and what would avoid it.
  std::vector<std::string> notes;
  bool operator==(const Measurement &) const = default;
};

} // namespace tilescope::profiler
