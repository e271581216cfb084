// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How encodings pass through operations.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/IR/Operation.h"

namespace tilescope::ttg {

/// Whether operands and results of `op` determine each other's encodings, so that it can be
/// computed in any layout: elementwise operations, reductions, views. Not memory accesses, dots or
/// control flow.
bool passesLayouts(mlir::Operation *op);
/// Whether the operation works as well on this operand in any other layout.
bool acceptsAnyLayout(mlir::OpOperand &operand);
/// The encoding of all results when the operands are encoded `operand`; null when there is none.
mlir::Attribute resultEncoding(mlir::Operation *op, mlir::Attribute operand);
/// The encoding that operand `index` needs for results encoded `result`; null when there is none.
mlir::Attribute operandEncoding(mlir::Operation *op, unsigned index, mlir::Attribute result);
/// Whether `op` has no block operands and makes its result in any layout: constants, splats,
/// ranges.
bool isMadeInAnyLayout(mlir::Operation *op);

/// Whether an access through a block of pointers moves enough to be worth doing only once, in its
/// own layout.
bool isExpensiveAccess(mlir::Operation *op);
/// Whether the encodings of `op`'s results were chosen for a reason and should spread to its users.
bool isLayoutAnchor(mlir::Operation *op);

/// The encoding of a block type; null for others.
mlir::Attribute encodingOf(mlir::Type type);
/// What one thread block of a cluster holds; the whole tensor in a cluster of one.
llvm::SmallVector<int64_t> shapePerBlock(mlir::RankedTensorType type);
/// The type with another encoding.
mlir::Type withEncoding(mlir::Type type, mlir::Attribute encoding);
/// Sets the encoding of all block results of `op`; a constant's value follows.
void setResultEncodings(mlir::Operation *op, mlir::Attribute encoding);
/// The value before conversions of its layout.
mlir::Value withoutConversions(mlir::Value value);
/// A conversion of `value`, placed right after its definition.
mlir::Value convertAfterDefinition(mlir::Value value, mlir::Attribute encoding);

/// What a conversion costs, in the time of simple operations on a byte each; 0 when it moves
/// nothing.
int64_t conversionCost(mlir::RankedTensorType type, mlir::Attribute encoding);
/// What computing `op` costs in the same unit, for results encoded `encoding`.
int64_t computationCost(mlir::Operation *op, mlir::Attribute encoding);

} // namespace tilescope::ttg
