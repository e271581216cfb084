// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that are several others become these, since fusion puts those together again that one kernel
// computes best:
//
//   layer_norm     becomes     mean, sub, mul, mean, add, sqrt, div, mul, add: one kernel of held rows
//   attention      becomes     matmul, mul, add, softmax, matmul: three kernels
#pragma once

#include "compiler/model/canonical/TensorOps.h"

namespace tilescope::model {

/// Operations whose extents are not numbers stay.
void decompose(mlir::func::FuncOp function);

/// What takes the place of an operation's results; empty: it stays.
using Replacement = llvm::SmallVector<mlir::Value, 4>;
Replacement decomposeNorm(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeAttention(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeMovement(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeNumbers(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeEinsum(mlir::Operation *operation, TensorOps &ops);
Replacement decomposePooling(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeResize(mlir::Operation *operation, TensorOps &ops);
Replacement decomposeSequence(mlir::Operation *operation, TensorOps &ops);

} // namespace tilescope::model
