// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a launch will take, worked out before anything ran: what the model knows of the launch, and
// what it makes of that.
#pragma once

#include "compiler/support/SourceRange.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// Units of a multiprocessor's quarter that instructions of warps occupy.
enum class MachinePipe : uint8_t {
  /// fp32 multiplication and addition, integer multiplication.
  Fma,
  /// Integers, comparisons, logic, conversions between 16 and 32 bits.
  Alu,
  /// Exponentials, reciprocals, conversions to and from integers.
  Special,
  Fp64,
  /// Instructions on all memories, and exchanges between lanes.
  LoadStore,
  /// Of scalars that are the same for a warp.
  Uniform,
  Tensor,
};
inline constexpr int kNumMachinePipes = 7;
std::string_view machinePipeName(MachinePipe pipe);

/// What keeps a launch from being faster.
enum class Bottleneck : uint8_t {
  Dram,
  L2,
  /// L1 and shared memory: one unit.
  L1,
  IssueSlots,
  Pipe,
  TensorPipe,
  /// Nothing is busy: warps wait for their own results.
  Latency,
  /// Atomic operations, which L2 carries out.
  Atomics,
  /// Starting the kernel and its programs.
  Start,
};
/// `DRAM`, `issue slots`, ….
std::string_view bottleneckName(Bottleneck bottleneck);

/// Of a line of the source, how much of the time that a warp takes by itself is spent there.
struct EstimateLine {
  /// Of the line; `file` as in `CompileResult::files`.
  SourceRange range;
  /// From 0 to 1.
  double share = 0;
  bool operator==(const EstimateLine &) const = default;
};

/// How much is known.
enum class EstimateConfidence : uint8_t {
  /// Machine code with its control fields.
  MachineCode,
  /// PTX: what the assembler makes of it is not known.
  Ptx,
};

/// All that the model knows of a launch. Numbers are averages over the grid, and of warps in cycles.
struct EstimateFacts {
  /// `cuda:90`.
  std::string target;
  EstimateConfidence confidence = EstimateConfidence::MachineCode;
  uint64_t programs = 0;
  /// Of a program.
  int32_t warps = 0;
  /// Programs that fit on a multiprocessor at once.
  int32_t programsPerSm = 0;
  /// Instructions that a warp issues.
  double instructions = 0;
  /// How long a warp's instructions occupy each pipe.
  std::array<double, kNumMachinePipes> pipeCycles{};
  /// How long a warp takes that has the multiprocessor for itself.
  double aloneCycles = 0;
  /// Of a program: passes through the banks of L1 and shared memory.
  double wavefronts = 0;
  /// Of the launch, in bytes.
  double l2ReadBytes = 0, l2WriteBytes = 0;
  double dramReadBytes = 0, dramWriteBytes = 0;
  /// Of the launch: sectors on which L2 carries out atomic operations.
  double atomicSectors = 0;
  /// How many of these fall on one sector, of the array where that is most: they go one after another.
  double atomicTurns = 0;
  std::vector<EstimateLine> lines;
  /// What was taken for granted, in sentences without a full stop.
  std::vector<std::string> assumptions;
  bool operator==(const EstimateFacts &) const = default;
};

/// What one resource alone would take.
struct EstimatePart {
  Bottleneck what{};
  /// `DRAM`, `special functions`, ….
  std::string name;
  double us = 0;
  bool operator==(const EstimatePart &) const = default;
};

/// A prediction, or why there is none.
struct Estimate {
  EstimateFacts facts;
  /// Empty: there is a prediction.
  std::string reason = "nothing was predicted";
  /// `H100 SXM`.
  std::string device;
  /// With a cold L2 cache.
  double us = 0;
  Bottleneck bottleneck{};
  /// The longest first.
  std::vector<EstimatePart> parts;

  bool isKnown() const { return reason.empty(); }
  bool operator==(const Estimate &) const = default;
};

/// A measurement that is further from the prediction than this factor, either way, has a reason that
/// the model does not know: docs/estimate.md says where the number comes from.
inline constexpr double kEstimateGap = 1.5;

} // namespace tilescope::compiler
