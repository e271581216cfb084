// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Blocks of a strided array as blocks of plain pointers, for an array [64, 100] with strides (s, 1)
// and a block of [2, 4] at (i, j):
//
//   rows = i + arange(2), columns = j + arange(4)
//   pointers = base + rows[:, None] * s + columns[None, :] * 1
//   mask = 0 <= rows[:, None] < 64 and 0 <= columns[None, :] < 100
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tilescope::tt {

/// An array in memory; extents and strides, in elements, are i64.
struct StridedArray {
  mlir::Value base;
  llvm::SmallVector<mlir::Value> extents, strides;
};

/// Addresses of the elements of a block, and which of them are inside the array; no mask when that
/// is not checked.
struct BlockAccess {
  mlir::Value pointers;
  mlir::Value mask;
};

/// Builds accesses to a block of some shape; everything at one location.
class BlockAccessBuilder {
public:
  BlockAccessBuilder(mlir::OpBuilder &builder, mlir::Location location,
                     llvm::ArrayRef<int64_t> shape)
      : m_builder(builder), m_location(location), m_shape(shape) {}

  /// Indices `offset + arange(extent)` along a dimension, as a block of i64 of one dimension. The
  /// offset is an i32.
  mlir::Value makeIndices(mlir::Value offset, int64_t dimension);

  /// The elements at these indices, one block of them per dimension.
  BlockAccess make(const StridedArray &array, llvm::ArrayRef<mlir::Value> indices,
                   llvm::function_ref<bool(int64_t dimension)> isChecked);

  mlir::Value splat(mlir::Value scalar) { return splat(scalar, m_shape); }

private:
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  mlir::Value broadcast(mlir::Value line);
  /// Where `index` is at least 0 and below `extent`.
  mlir::Value makeInside(mlir::Value index, mlir::Value extent);

  mlir::OpBuilder &m_builder;
  mlir::Location m_location;
  llvm::SmallVector<int64_t> m_shape;
};

} // namespace tilescope::tt
