// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/canonical/TensorOps.h"

namespace tilescope::model {

/// The elements of a weight or a constant in another order, axis `order[i]` as axis i: what the kernels read when they run
/// has that order already. Null: they are computed, or not known.
mlir::Value repacked(mlir::Value constant, llvm::ArrayRef<int64_t> order, mlir::OpBuilder &builder);

/// Whether a product of `rows` × `depth` by `depth` × `columns`, of elements of so many bytes, is faster with the elements of
/// the right factor's columns beside each other.
using WantsColumns =
    llvm::function_ref<bool(int64_t rows, int64_t columns, int64_t depth, int64_t elementBytes)>;

/// A weight [K, N] becomes [N, K] where a vector is multiplied by it, so that a program reads whole rows, and where the
/// product is faster so. Where it is not, a weight [N, K] of several rows' product becomes [K, N].
void repackForProducts(mlir::func::FuncOp function, WantsColumns wantsColumns);

/// A filter [M, C, …] becomes […, M, C] where a convolution goes through the places in its window one after the other, so
/// that the channels of each lie side by side.
void repackForWindows(mlir::func::FuncOp function);

} // namespace tilescope::model
