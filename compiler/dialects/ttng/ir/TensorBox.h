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

} // namespace tilescope::ttng
