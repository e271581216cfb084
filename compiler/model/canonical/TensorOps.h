// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include "mlir/IR/Builders.h"

namespace tilescope::model {

/// One kernel puts so many tensors behind each other.
inline constexpr size_t kMostConcatenated = 16;

/// Makes operations of static shapes at one place, all with the location of one node; types follow
/// from the operands.
class TensorOps {
public:
  TensorOps(mlir::OpBuilder &builder, mlir::Location location)
      : m_builder(builder), m_location(location) {}

  static llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
  static mlir::Type elementOf(mlir::Value value);

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value expand(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value concat(mlir::Value first, mlir::Value second, int64_t axis);
  /// More than `kMostConcatenated` are put together part by part.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  /// Every `step`-th element from `begin` on, `extent` of them.
  mlir::Value slice(mlir::Value value, int64_t axis, int64_t begin, int64_t extent,
                    int64_t step = 1);
  /// Slices across the axis, at the indices.
  mlir::Value gather(mlir::Value value, mlir::Value indices, int64_t axis);
  /// An element for each index, at its own place but along the axis.
  mlir::Value gatherElements(mlir::Value value, mlir::Value indices, int64_t axis);
  /// The same once more.
  mlir::Operation *clone(mlir::Operation *op) { return m_builder.clone(*op); }
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value number(double value, mlir::Type element);
  /// 0, 1, 2, … in the order of the elements; null: there are too many for a constant.
  mlir::Value counted(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// The axes keep an extent of 1.
  mlir::Value reduce(tm::ReduceKind kind, mlir::Value value, llvm::ArrayRef<int64_t> axes);
  /// Batches must be the same, or one.
  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs, mlir::Type element);
  mlir::Value compare(tm::Comparison predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value where(mlir::Value condition, mlir::Value lhs, mlir::Value rhs);
  template <typename Op> mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    return Op::create(m_builder, m_location,
                      typeOf(repeated(shapeOf(lhs), shapeOf(rhs)), elementOf(lhs)), lhs, rhs);
  }
  /// The first result of any operation.
  template <typename Op, typename... Arguments>
  mlir::Value make(mlir::TypeRange types, Arguments &&...arguments) {
    return Op::create(m_builder, m_location, types, std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }
  template <typename Op> mlir::Value unary(mlir::Value value) {
    return Op::create(m_builder, m_location, value.getType(), value);
  }
  template <typename Element>
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                       llvm::ArrayRef<Element> values) {
    const auto type = typeOf(shape, element);
    return tm::ConstantOp::create(
        m_builder, m_location, type,
        mlir::cast<mlir::ElementsAttr>(mlir::DenseElementsAttr::get(type, values)));
  }

private:
  static mlir::RankedTensorType typeOf(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  static llvm::SmallVector<int64_t> repeated(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

  mlir::OpBuilder &m_builder;
  mlir::Location m_location;
};

} // namespace tilescope::model
