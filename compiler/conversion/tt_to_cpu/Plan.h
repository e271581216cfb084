// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which blocks are kept in memory.
//
// Elements of a block are computed where they are needed, again for each need: that costs nothing for
// what is cheap, and is wrong for a load behind whose place the memory changes.
//
//     %e = math.exp %x           needed by a sum and by a store: kept when the sum's loop computes it
//     %v = tt.load %p            needed behind a store that may change it: kept at once
//     %o = arith.addi %b, %r     cheap: computed in both loops
//
// Where bounds are checked, each load is executed once and where it stands, unless the one sink that
// follows does the same: else it would be accused twice, or not at all. A sink behind an assertion may not.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilescope::cpu {

/// What computes elements: an operation that is executed where it stands, and which of its parts
/// (the operand for those that have one set of loops for each, otherwise 0).
struct Sink {
  mlir::Operation *op = nullptr;
  unsigned part = 0;
  bool operator==(const Sink &) const = default;
};

/// The sink that uses the operand.
Sink sinkOf(mlir::OpOperand &use);

enum class Keep {
  /// Computed at each need.
  Never,
  /// Kept as soon as one need has computed all of it.
  OnceComputed,
  /// Computed and kept where it is defined.
  AtDefinition
};

class Plan {
public:
  Plan(tt::FuncOp kernel, const compiler::AxisInfoMap &axes, const LoweringOptions &options);

  Keep of(mlir::Value block) const { return m_keep.lookup(block); }
  /// Whether the loops of one sink alone compute its elements.
  bool isComputedOnce(mlir::Value block) const {
    return of(block) != Keep::Never || isNeededOnceHere(block);
  }

private:
  using Sinks = llvm::SmallVector<Sink, 4>;
  void visit(mlir::Value block);
  void collectSinks(mlir::Value block);
  void addSinks(mlir::Value block, llvm::ArrayRef<Sink> sinks);
  int costOfBlock(mlir::Value block, const compiler::AxisInfoMap &axes) const;
  bool isNeededOften(mlir::Value block) const;
  bool isNeededOnceHere(mlir::Value block) const;
  bool mayMove(tt::LoadOp load) const;

  LoweringOptions m_options;
  /// Programs may end in the middle.
  bool m_hasAssertions = false;
  /// Stores and atomic operations.
  llvm::SmallVector<mlir::Operation *> m_writes;
  /// Through blocks that are kept, too.
  llvm::DenseMap<mlir::Value, Sinks> m_sinks;
  llvm::DenseMap<mlir::Value, Keep> m_keep;
  llvm::DenseMap<mlir::Value, int> m_costs;
};

} // namespace tilescope::cpu
