// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilescope::ttg {

/// What a dot multiplies; nothing for other operations.
llvm::SmallVector<mlir::Value> factorsOf(mlir::Operation &op);

/// The loads of an innermost loop that can be copied to shared memory some iterations before dots
/// use them.
struct LoadsAhead {
  /// From pointers, or from descriptors.
  llvm::SetVector<mlir::Operation *> loads;
  /// Elements that one copy of a thread can move, from pointers.
  llvm::DenseMap<tt::LoadOp, unsigned> widths;
  /// What their addresses are computed from, in the loop.
  llvm::SetVector<mlir::Operation *> addresses;
  /// What keeps the other loads that dots use from it.
  llvm::DenseMap<tt::LoadOp, compiler::LoopObstacle> leftOut;

  /// Nothing when loads must not move from one iteration to another at all (see `LoopWrites`).
  static std::optional<LoadsAhead> of(mlir::scf::ForOp loop, const compiler::AxisInfoMap &axes);
};

} // namespace tilescope::ttg
