// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"
#include "profiler/data/Metric.h"

#include <optional>
#include <string>
#include <vector>

/// What the parts of a profile say together. What was not measured is absent.
namespace tilescope::profiler {

/// Where bytes went in one launch:
///
///     registers <-> L1 and shared memory <-> L2 <-> DRAM
struct MemoryFlow {
  /// Of loads those that go to registers: asynchronous copies go to shared memory.
  std::optional<double> globalLoadBytes, globalStoreBytes;
  std::optional<double> asyncCopyBytes;
  /// There are asynchronous copies, and they were not counted on their own; neither then are the
  /// loads to registers.
  bool hasUncountedCopies = false;
  /// Of 32 bytes.
  std::optional<double> sectorsPerLoad, sectorsPerStore;
  /// Spilled registers.
  std::optional<double> localBytes;
  std::optional<double> sharedLoadWavefronts, sharedStoreWavefronts;
  /// Those of both that bank conflicts added.
  std::optional<double> sharedConflicts;
  /// From 0 to 1: of global loads in L1; of what the L1 caches ask for in L2.
  std::optional<double> l1HitRate, l2HitRate;
  std::optional<double> l2ToL1Bytes, l1ToL2Bytes;
  /// Parts of the two above.
  std::optional<double> bulkLoadBytes, bulkStoreBytes;
  std::optional<double> dramReadBytes, dramWriteBytes;

  /// Nothing of it was measured.
  bool isEmpty() const;
};
MemoryFlow memoryFlow(const CounterData &counters);

/// How long a warp was in one state between two of its instructions.
struct WarpState {
  const Metric *metric = nullptr;
  double cycles = 0;
  /// Of all states, from 0 to 1.
  double share = 0;
};
/// The longest first.
std::vector<WarpState> warpStates(const CounterData &counters);

/// What a memory can deliver, and what the kernel took.
struct RooflineRoof {
  /// `DRAM`, `L2`, `L1`.
  std::string name;
  double bytes = 0;
  double peakBytesPerS = 0;
  double bytesPerS = 0;
  /// Why it is not known what the kernel took, in a sentence; empty: it is.
  std::string unmeasured = {};
  /// `556 of 3352 GB/s`; `not measured`.
  std::string text() const;
};
/// What arithmetic units can do, and what the kernel did with them.
struct RooflineUnits {
  /// `fp32`, `bf16 tensor`.
  std::string name;
  double operations = 0;
  double peakPerS = 0;
  double perS = 0;
};
struct MeasuredRoofline {
  std::vector<RooflineRoof> roofs;
  /// Those that the kernel used, and fp32.
  std::vector<RooflineUnits> units;
  /// The roof or units nearest to their peak, with that share.
  std::string bound;
  double boundShare = 0;

  /// Of all units.
  double operations() const;
};
/// Nothing without the time of the launch and at least one roof and unit.
std::optional<MeasuredRoofline> measuredRoofline(const CounterData &counters);

/// The samples of one place.
struct SamplePlace {
  /// A line from 0, or an offset in bytes.
  uint32_t place = 0;
  uint64_t samples = 0;
  uint64_t notIssued = 0;
  /// Of the kernel's samples, from 0 to 1.
  double share = 0;
  /// By samples, the most frequent first.
  std::vector<std::pair<std::string, uint64_t>> reasons;
};
/// By samples, the hottest first.
std::vector<SamplePlace> hottestLines(const SampleData &samples);
std::vector<SamplePlace> hottestOffsets(const SampleData &samples);

/// A stall reason as users read it: `Waits for global memory`; the name itself where it is unknown.
std::string stallLabel(const std::string &stall);

/// Whether parts of a profile were asked for: some are there, or it is said why not.
bool isProfiled(const Measurement &measurement);

/// What the profile consists of, and for each part that is missing why, and what would cure it.
struct Ladder {
  /// `hardware counters (full set, 24 passes, GH100) and samples`; `times` without both.
  std::string used;
  /// In sentences without full stop.
  std::vector<std::string> refused;
};
Ladder profileLadder(const Measurement &measurement);

/// One way to look at a kernel, and whether the profile has it.
struct LadderRung {
  enum class State : uint8_t {
    /// Measured.
    Used,
    /// Asked for, and could not be had.
    Refused,
    NotAsked,
  };
  /// `Counters`, `Samples`, `Executions`, `Whole device`, `Trace`, `Times`, `Static estimate`.
  std::string name;
  State state{};
  /// What there is of it, why it is missing, or how to ask for it.
  std::string words;
  /// Of a refusal, where one is known.
  std::string cure;
};
/// A row of what the device counted of itself.
struct DeviceWideRow {
  std::string name;
  /// `87.1 %`.
  std::string value;
  std::string description;
};
/// Those that the device has, in the table's order.
std::vector<DeviceWideRow> deviceWideRows(const DeviceWideData &data);
/// What the numbers are of: `the whole device over 1.00 s, in which the kernel was launched 8000
/// times in a row, with a warm cache; other programs count, too`.
std::string deviceWideScope(const DeviceWideData &data);

/// From the one that says most to the one that needs nothing.
std::vector<LadderRung> ladderRungs(const Measurement &measurement);

} // namespace tilescope::profiler
