// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace tilescope::compiler {

/// An operation whose result another one uses in registers, of the same iteration or an earlier one.
struct LoopFeeder {
  mlir::Operation *op = nullptr;
  int32_t iterationsBefore = 0;
};

/// Finds the loads and products that the factors of products, and what is stored to shared memory,
/// come from.
class LoopFeeders {
public:
  const std::vector<LoopFeeder> &of(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, std::vector<LoopFeeder>> m_known;
};

} // namespace tilescope::compiler
