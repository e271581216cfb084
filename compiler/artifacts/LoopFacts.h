// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What warps do in a loop, event by event, and who waits for whom: what the picture of a pipeline,
// the report and the command line read. Known from TTGIR alone, so times are an order and not
// durations.
//
// A product whose factors are loaded two iterations ahead, in three slots:
//
//     before       copy 0 into slot 0, copy 1 into slot 1
//     iteration k  wait for copy k; copy k + 2 into slot (k + 2) % 3; read slot k % 3; multiply
//     behind       wait for all copies
//
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/ComputeFacts.h"

namespace tilescope::compiler {

/// What an operation in a loop does.
enum class LoopAction : uint8_t {
  /// To shared memory past the registers, by all threads: `cp.async`.
  AsyncCopy,
  /// To shared memory by one thread, of which a barrier learns: a bulk copy.
  BulkCopy,
  /// A bulk copy out of shared memory.
  BulkStore,
  /// The copies since the last one become a group.
  CloseGroup,
  CopyWait,
  BarrierWait,
  ProductWait,
  StoreWait,
  /// A barrier is told how many bytes will come.
  Expect,
  /// A barrier is told that something is done.
  Arrive,
  Product,
  LocalLoad,
  LocalStore,
  Load,
  Store,
  Conversion,
  Reduction,
  /// On blocks of floating-point numbers.
  Arithmetic,
  InnerLoop,
};
/// `async copy`, `barrier wait`, ….
std::string_view loopActionName(LoopAction action);
/// Whether it fills shared memory while the warps go on.
constexpr bool isCopy(LoopAction action) { return action <= LoopAction::BulkCopy; }
constexpr bool isWait(LoopAction action) {
  return action >= LoopAction::CopyWait && action <= LoopAction::StoreWait;
}

/// An operation of TTGIR; of arithmetic, the first one of its line.
struct LoopOperation {
  LoopAction action{};
  /// `ttg.local_load`.
  std::string operation;
  /// What the kernel calls the block that it is about; empty when it has no name.
  std::string name;
  SourceRange range;
  /// 0-based.
  uint32_t stageLine = 0;
  /// Which of the loop's groups of warps executes it.
  int32_t partition = 0;
  /// Of waits: how many groups, or products, may still be under way; -1: it is no such wait.
  int32_t pending = -1;
  /// The warps go on before it is over.
  bool isAsync = false;
  /// Of copies: how many iterations later the block is needed.
  int32_t distance = 0;
  bool operator==(const LoopOperation &) const = default;
};

/// A buffer that the loop uses.
struct LoopBuffer {
  /// What the kernel calls it; empty when it has no name.
  std::string name;
  SourceRange range;
  uint32_t stageLine = 0;
  int32_t slots = 1;
  /// Of one slot.
  std::vector<int64_t> shape;
  std::string elementType;
  /// It holds barriers.
  bool isBarrier = false;
  bool isInTensorMemory = false;
  bool operator==(const LoopBuffer &) const = default;
};

/// Warps that execute the same code.
struct LoopPartition {
  /// Empty: there is only one.
  std::string name;
  int32_t numWarps = 0;
  /// Of its loop; empty: it has none.
  SourceRange range;
  bool operator==(const LoopPartition &) const = default;
};

inline constexpr int32_t kBeforeLoop = -1, kBehindLoop = INT32_MAX;

/// One execution of an operation.
struct LoopEvent {
  uint32_t operation = 0;
  /// Of its partition's loop, or before or behind it.
  int32_t iteration = kBeforeLoop;
  /// When it happens, counted in operations of its warps, and since when they wait for it.
  uint32_t time = 0, begin = 0;
  /// What it fills, else what it reads or which barrier it uses; -1: none, or not known.
  int32_t buffer = -1, slot = -1;
  /// The event that ends what goes on behind this one; -1: none.
  int32_t end = -1;
  /// Of copies: the iteration that needs the block; -1: not known. Else its own one.
  int32_t forIteration = -1;
  /// There is nothing left to do for it: its condition is false.
  bool isOff = false;
  /// Of an iteration that is left out, and still under way behind what is left out: its time is
  /// that where the events go on.
  bool isInGap = false;
  bool operator==(const LoopEvent &) const = default;
};

/// Why one event comes behind another.
enum class LoopLinkKind : uint8_t {
  /// A wait ends a copy or a product.
  Ends,
  /// What one leaves, the other uses.
  Feeds,
  /// A slot is filled again that the other has read.
  Frees,
  /// A wait is for an arrival at a barrier.
  Signals,
};

/// Between events, by number.
struct LoopLink {
  uint32_t from = 0, to = 0;
  LoopLinkKind kind{};
  bool operator==(const LoopLink &) const = default;
};

/// Why a loop is not pipelined.
enum class PipelineObstacle : uint8_t {
  /// It is.
  None,
  /// It counts by a condition.
  NoCounter,
  HoldsLoop,
  NoLoads,
  /// Only what products use is loaded ahead.
  NoProduct,
  /// Its products do not use what it loads.
  OtherFactors,
  /// The target has no asynchronous copies.
  Target,
  /// Something about its loads: see `waiting`.
  Loads,
};
/// A word for scripts: `no-product`, `loads`, ….
std::string_view pipelineObstacleName(PipelineObstacle obstacle);

/// A loop, or the loops of groups of warps that work together.
struct LoopFacts {
  SourceRange range;
  uint32_t stageLine = 0;
  PipelineFacts pipeline;
  PipelineObstacle obstacle{};
  /// Loads that products wait for in every iteration.
  std::vector<WaitingLoad> waiting;
  /// How many iterations there are; -1: that depends on the launch, or, where that is known, on the
  /// program or on data.
  int64_t numIterations = -1;
  /// By how much its counter goes on; 0: it has none, or that is not known.
  int64_t step = 0;
  bool isLaunchKnown = false;
  /// As many were followed; those in the middle may be left out of the events.
  int32_t numFollowed = 0;
  std::vector<LoopPartition> partitions;
  std::vector<LoopBuffer> buffers;
  std::vector<LoopOperation> operations;
  /// By time, then by partition.
  std::vector<LoopEvent> events;
  std::vector<LoopLink> links;

  bool isPipelined() const { return obstacle == PipelineObstacle::None; }
  const LoopOperation &operationOf(size_t event) const {
    return operations[events[event].operation];
  }
  bool operator==(const LoopFacts &) const = default;
};

/// Why a product waits for a load, and what would help, as clauses.
std::string_view loopObstacleText(LoopObstacle obstacle);
std::string_view loopObstacleAdvice(LoopObstacle obstacle);

} // namespace tilescope::compiler
