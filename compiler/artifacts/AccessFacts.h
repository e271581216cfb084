// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel's accesses cost, as plain values: what views, reports and the command line read.
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/support/SourceRange.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// What an instruction does with memory.
enum class MemoryAction : uint8_t {
  GlobalLoad,
  GlobalStore,
  /// An atomic operation that returns the old value.
  GlobalAtomic,
  /// An atomic operation without a result.
  GlobalReduction,
  /// From global to shared memory, past the registers.
  AsyncCopy,
  SharedLoad,
  SharedStore,
  /// `ldmatrix`.
  MatrixLoad,
  /// A product of a group of warps reads a factor in core matrices of 8 rows by 16 bytes.
  ProductRead,
};

/// `global load`, `ldmatrix`, …
std::string_view memoryActionName(MemoryAction action);
constexpr bool isShared(MemoryAction action) { return action >= MemoryAction::SharedLoad; }

/// Why an access moves no more bytes per lane than it does.
enum class WidthReason : uint8_t {
  /// 16 bytes, the most that an instruction moves.
  Widest,
  /// One element for the whole program.
  Scalar,
  /// The address is not known to be a multiple of more.
  Divisibility,
  /// Neighbours along the fastest dimension are not neighbours in memory.
  Contiguity,
  /// The mask may change between neighbours.
  Mask,
  /// A thread holds no more neighbours: the block is small, or its layout was chosen for others.
  Layout,
  /// There is no wider instruction of this kind.
  Operation,
};

/// The reason with what it is about.
struct WidthLimit {
  WidthReason reason = WidthReason::Widest;
  /// The argument that lacks a multiple, that the mask compares with, or that the hiding operation
  /// divides by; empty when it is none.
  std::string argument;
  /// The dimension of the block along which the access was made wide; -1 for scalars.
  int32_t dimension = -1;
  /// How many neighbours could move together for this reason alone.
  int64_t elements = 1;
  /// Of `Contiguity`: the operation behind which the compiler no longer knows what are neighbours,
  /// `division` or `remainder`, and where it is; empty when there is none.
  std::string hiddenBy = {};
  SourceRange hiddenIn = {};
  /// Of `Contiguity`: they are neighbours in the opposite order, as in `x_ptr + n - 1 - i`.
  bool isReversed = false;
  /// Dimensions of the block; 0 for scalars.
  int32_t rank = 0;
  bool operator==(const WidthLimit &) const = default;
};

/// ``the remainder by `width` in line 21``; only of a limit with `hiddenBy`.
std::string hidingText(const WidthLimit &limit);

/// Sums over executions of an access, in the units of Nsight Compute's counters.
struct AccessCounts {
  /// Instructions of warps, also those of which no lane is on.
  uint64_t instructions = 0;
  /// Instructions with a lane that is on.
  uint64_t requests = 0;
  /// Sectors of 32 bytes that the requests touch, each request by itself.
  uint64_t sectors = 0;
  /// Lines of 128 bytes, counted in the same way.
  uint64_t lines = 0;
  /// Passes through the banks of shared memory, or of the L1 cache.
  uint64_t wavefronts = 0;
  /// The passes that as many bytes need when no banks conflict.
  uint64_t minimumWavefronts = 0;
  /// What the lanes ask for, and what of it is not asked for twice by one request.
  uint64_t bytesAsked = 0;
  uint64_t bytesUsed = 0;
  /// Of global memory: whole sectors.
  uint64_t bytesFetched = 0;

  AccessCounts &operator+=(const AccessCounts &other);
  /// The same, `times` over.
  AccessCounts operator*(uint64_t times) const;
  bool operator==(const AccessCounts &) const = default;
};

/// One kind of instruction that an operation of TTGIR became.
struct AccessFacts {
  SourceRange range;
  /// `tt.load`, `ttg.convert_layout`, ….
  std::string operation;
  MemoryAction action{};
  /// The kernel's argument that is accessed; empty when there are several or none.
  std::string argument;
  int32_t elementBytes = 0;
  /// What one lane moves at once.
  int32_t vectorBytes = 0;
  /// Of accesses to global memory.
  std::optional<WidthLimit> limit;
  bool isInLoop = false;
  /// How often the operation was executed, over all programs.
  uint64_t executions = 0;
  AccessCounts counts;
  bool operator==(const AccessFacts &) const = default;
};

/// Something whose accesses are not counted, and why.
struct UncountedAccess {
  SourceRange range;
  std::string operation;
  std::string reason;
  bool operator==(const UncountedAccess &) const = default;
};

/// How far elements move in a conversion.
enum class ConversionMoves : uint8_t { Registers, Lanes, Warps };
std::string_view conversionMovesName(ConversionMoves moves);

/// Where a value of a conversion's layout is made, or used: the operation that the layout is for.
struct ConversionEnd {
  /// `tt.load`, `tt.dot`, …; empty when it is not known.
  std::string operation;
  SourceRange range;
  /// Of an operation that uses the value: which of its operands that is.
  int32_t operand = 0;
  bool operator==(const ConversionEnd &) const = default;
};

/// One kind of access to shared memory in a conversion; counts of one execution by one program.
struct ConversionAccess {
  MemoryAction action{};
  int32_t vectorBytes = 0;
  uint64_t wavefronts = 0;
  uint64_t minimumWavefronts = 0;
  bool operator==(const ConversionAccess &) const = default;
};

/// A conversion between two layouts.
struct ConversionFacts {
  SourceRange range;
  ConversionMoves moves{};
  /// Of the block.
  int64_t bytes = 0;
  std::vector<int64_t> shape;
  std::string elementType;
  /// Encodings as printed.
  std::string from, to;
  bool isInLoop = false;
  uint64_t executions = 0;
  /// Exchanges between lanes that each warp executes, once.
  int64_t shuffles = 0;
  /// Of shared memory, over all executions.
  uint64_t wavefronts = 0;
  uint64_t minimumWavefronts = 0;
  int32_t elementBits = 0;
  /// Both layouts, without registers that hold copies: what is exchanged.
  std::vector<LayoutBases> fromLayout, toLayout;
  /// Through shared memory: so many parts, one after another, for lack of room, and what all of
  /// them access.
  int32_t parts = 1;
  std::vector<ConversionAccess> sharedAccesses;
  /// What the two layouts are for.
  ConversionEnd source, destination;
  /// The pass that made the conversion as it is; empty when that is not known.
  std::string pass;
  bool operator==(const ConversionFacts &) const = default;
};

/// A loop with copies or products that are under way while it goes on.
struct PipelineFacts {
  SourceRange range;
  /// Slots of the ring that the copies go round; 0 for a loop without one.
  int32_t stages = 0;
  /// Copies that each iteration starts.
  int32_t copies = 0;
  /// Groups of copies that may be under way behind the loop's wait.
  int32_t copiesUnderWay = 0;
  /// Waits for copies, and for products, in each iteration.
  int32_t copyWaits = 0;
  int32_t productWaits = 0;
  /// Products in each iteration that run while the threads go on.
  int32_t asyncProducts = 0;
  bool operator==(const PipelineFacts &) const = default;
};

/// All that is known of a kernel's accesses in a launch.
struct MemoryFacts {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// The only program that was counted; nothing: all were.
  std::optional<std::array<int32_t, 3>> program;
  uint64_t programs = 0;
  /// The addresses depend on what the kernel reads, so that all of it was executed.
  bool dependsOnData = false;
  std::vector<AccessFacts> accesses;
  std::vector<UncountedAccess> uncounted;
  std::vector<ConversionFacts> conversions;
  std::vector<PipelineFacts> pipelines;

  /// The sum over all accesses of these actions.
  AccessCounts total(std::initializer_list<MemoryAction> actions) const;
  bool operator==(const MemoryFacts &) const = default;
};

/// What limits the width, as a clause: "`x_ptr` is not known to be a multiple of 16 bytes".
std::string describe(const WidthLimit &limit, int32_t elementBytes);
/// A word for scripts: `divisibility`, `mask`, ….
std::string_view widthReasonName(WidthReason reason);

} // namespace tilescope::compiler
