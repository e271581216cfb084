// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/EmitModule.h"
#include "compiler/model/plan/Arena.h"

namespace tilescope::model {

/// A tensor that a step writes, and where it lies as long as it lives.
struct PlannedTensor {
  mlir::Value value;
  Lifetime life;
  int64_t offset = 0;
};

struct MemoryPlan {
  /// In the order in which they are written.
  std::vector<PlannedTensor> tensors;
  int64_t bytes = 0, leastBytes = 0;

  /// The tensor whose elements these are; null where no step writes them.
  const PlannedTensor *find(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, size_t> positions;
};

/// The value that has the elements: extents of the same elements share one.
mlir::Value storageOf(mlir::Value value);

int64_t storageBytes(mlir::RankedTensorType type);

/// Outputs of the function live for one step more than there are.
MemoryPlan planMemory(mlir::func::FuncOp function, const Emission &emission);

/// Tells the slots, the arena, and which kernels read what others write. `result` has a kernel for each
/// step.
void describeMemory(const MemoryPlan &plan, const Emission &emission,
                    compiler::ModelResult &result);

} // namespace tilescope::model
