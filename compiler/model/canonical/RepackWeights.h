// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/canonical/TensorOps.h"

namespace tilescope::model {

/// The elements of a weight or a constant in another order, axis `order[i]` as axis i: what the kernels read when they run
/// has that order already. Null: they are computed, or not known.
mlir::Value repacked(mlir::Value constant, llvm::ArrayRef<int64_t> order, mlir::OpBuilder &builder);

/// Where a vector is multiplied by a weight [K, N], the weight becomes [N, K], so that a program reads whole rows.
void repackForVectors(mlir::func::FuncOp function);

} // namespace tilescope::model
