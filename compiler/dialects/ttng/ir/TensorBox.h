// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tilescope::ttng {

/// The part of a described block that one bulk copy moves. A block with more than 256 elements
/// along a dimension, or with rows longer than what is swizzled, takes several.
struct TensorBox {
  /// One per dimension of the block.
  llvm::SmallVector<int64_t> extents;
  /// 0, 32, 64 or 128.
  unsigned swizzleBytes = 0;
};

/// Nothing for blocks that bulk copies cannot move: those whose encoding is not `nvmma_shared`, or
/// is transposed, or leaves gaps.
/// `descriptor`: of a tensor or of images, of which a copy moves up to 1024 pixels.
std::optional<TensorBox> tensorBox(mlir::Type descriptor);

/// What tells where a bulk copy finds its block. Lists are outermost first.
struct BulkOperands {
  /// Null: the copy is always carried out.
  mlir::Value predicate;
  /// A pointer to the tensor's first element, or the descriptor, where that is an argument of the
  /// kernel.
  mlir::Value tensor;
  /// Strides of all dimensions but the last, whose neighbors follow each other.
  llvm::SmallVector<mlir::Value> extents, strides;
  llvm::SmallVector<mlir::Value> offsets;
  /// Otherwise strides count elements.
  bool hasByteStrides = false;
};
/// Nothing for operations that copy no block, or images, and where it is not known what a
/// descriptor describes.
std::optional<BulkOperands> bulkOperands(mlir::Operation *op);

} // namespace tilescope::ttng
