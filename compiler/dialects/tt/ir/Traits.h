// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rules that many operations share, as traits.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace tilescope::tt {

/// The most elements a block may have.
inline constexpr int64_t kMaxBlockElements = 1048576;

namespace detail {
mlir::LogicalResult verifyBlockSizes(mlir::Operation *op);
mlir::LogicalResult verifySameEncoding(mlir::Operation *op, bool withResults);
mlir::LogicalResult verifySameShape(mlir::Operation *op);
} // namespace detail

/// Every block has a power of two of elements, at most kMaxBlockElements.
template <typename ConcreteType>
class BlockSizeTrait : public mlir::OpTrait::TraitBase<ConcreteType, BlockSizeTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyBlockSizes(op);
  }
};

/// All blocks among operands and results carry the same encoding.
template <typename ConcreteType>
class SameEncodingTrait : public mlir::OpTrait::TraitBase<ConcreteType, SameEncodingTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameEncoding(op, true);
  }
};

/// All blocks among the operands carry the same encoding.
template <typename ConcreteType>
class SameOperandsEncodingTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, SameOperandsEncodingTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameEncoding(op, false);
  }
};

/// Operands and results are all scalars, or all blocks of one shape.
template <typename ConcreteType>
class SameShapeTrait : public mlir::OpTrait::TraitBase<ConcreteType, SameShapeTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameShape(op);
  }
};

} // namespace tilescope::tt
