// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a group of warps executes in a loop, operation by operation, with the slots that each
// iteration uses.
#pragma once

#include "compiler/artifacts/LoopFacts.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/LoopNumbers.h"
#include "compiler/pipeline/ValueNames.h"

namespace tilescope::compiler {

/// What one group of warps executes.
struct LoopStrand {
  int32_t partition = 0;
  std::vector<mlir::Operation *> before, behind;
  /// Null: it has none.
  mlir::scf::ForOp loop;
};

/// A slot of a buffer, by the buffer's number; -1: the slot is not known.
struct UsedSlot {
  int32_t buffer = 0, slot = 0;
  auto operator<=>(const UsedSlot &) const = default;
};

/// One execution of an operation.
struct LoopStep {
  mlir::Operation *op = nullptr;
  /// Its number among the facts.
  uint32_t operation = 0;
  int32_t iteration = kBeforeLoop;
  bool isOff = false;
  llvm::SmallVector<UsedSlot, 2> reads, writes;
  llvm::SmallVector<UsedSlot, 1> barriers;
  /// Of a wait for a barrier: the parity of the phase that it waits for, where that is known.
  std::optional<int64_t> phase;
};

/// Lists steps, and adds the operations and buffers that occur to a loop's facts.
class LoopSteps {
public:
  LoopSteps(const StageSources &sources, const ValueNames &names, LoopFacts &facts)
      : m_sources(sources), m_names(names), m_facts(facts) {}

  /// Of `numIterations` iterations, or fewer, where the loop has fewer.
  std::vector<LoopStep> of(const LoopStrand &strand, int64_t numIterations);
  /// What allocates each buffer.
  const std::vector<mlir::Operation *> &allocations() const { return m_allocations; }

private:
  void add(mlir::Operation *op, LoopNumbers &numbers, int32_t iteration);
  void addBlock(mlir::Block &block, LoopNumbers &numbers, int32_t iteration);
  bool continuesArithmetic(const LoopOperation &operation, int32_t iteration) const;
  uint32_t numberOf(mlir::Operation *op, LoopAction action);
  std::optional<UsedSlot> useOf(mlir::Value buffer, LoopNumbers &numbers);
  int32_t bufferNumber(mlir::Operation *alloc, bool isIndexed);
  std::string nameOf(mlir::Operation *op, LoopAction action);

  const StageSources &m_sources;
  const ValueNames &m_names;
  LoopFacts &m_facts;
  int32_t m_partition = 0;
  std::vector<LoopStep> m_steps;
  std::vector<mlir::Operation *> m_allocations;
  llvm::DenseMap<mlir::Operation *, uint32_t> m_numbers;
};

/// The most slots of the buffers that a strand's loop uses.
int32_t mostSlots(const LoopStrand &strand);

} // namespace tilescope::compiler
