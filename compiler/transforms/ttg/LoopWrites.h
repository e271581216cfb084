// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilescope::ttg {

/// Which memory the iterations of an innermost loop write.
///
/// Two pointers may meet when they come from the same place: an argument of the function, or a
/// pointer that was itself loaded or computed. Different arguments are different memory, as they
/// are for Triton.
class LoopWrites {
public:
  /// Nothing when loads must not move from one iteration to another at all: the loop holds another
  /// loop, prints, asserts, waits for other programs, or does what is not known. A pipelined loop
  /// also holds copies to shared memory and waits for them, which is not what keeps other loads.
  static std::optional<LoopWrites> of(mlir::scf::ForOp loop);

  /// Whether an iteration may write what a load from there reads.
  bool mayReach(mlir::Value pointer) const;

private:
  bool add(mlir::Operation *op);

  bool m_isPipelined = false;
  llvm::DenseSet<mlir::Value> m_origins;
};

} // namespace tilescope::ttg
