// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/TensorOps.h"

#include "compiler/constant/Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

namespace tilescope::compiler::frontend {

bool TargetRules::supports(DType dtype) const {
  switch (dtype) {
  case DType::Fp8e4nv:
    return capability >= 89;
  case DType::Fp8e4b8:
  case DType::Fp8e5b16:
    return false;
  default:
    return true;
  }
}

TensorOps::TensorOps(mlir::MLIRContext *context, Host &host, TargetRules rules)
    : builder(context), m_host(host), m_rules(std::move(rules)) {}

mlir::Type TensorOps::mlirType(const Type &type) {
  if (!m_rules.supports(type.dtype()))
    fail(DiagnosticKind::TypeUnsupported,
         {"type `{}` is not supported in this architecture", type.dtype()});
  return toMlir(context(), type);
}

TensorOps::ConstantScope::ConstantScope(TensorOps &ops, mlir::Block *block)
    : m_ops(ops), m_block(block), m_last(nullptr), m_outer(ops.m_constants) {
  ops.m_constants = this;
}

TensorOps::ConstantScope::~ConstantScope() { m_ops.m_constants = m_outer; }

void TensorOps::requirePlace(const void *place) {
  if (!place)
    fail(DiagnosticKind::NotConstexpr,
         "outside of `@triton.jit` functions only compile-time values "
         "can be computed: this one exists only while a kernel runs");
}

Tensor TensorOps::constantAttribute(mlir::TypedAttr attribute, const Type &type) {
  requirePlace(m_constants);
  ConstantScope &scope = *m_constants;
  mlir::Value &known = scope.m_constants[attribute];
  if (!known) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (scope.m_last)
      builder.setInsertionPointAfter(scope.m_last);
    else
      builder.setInsertionPointToStart(scope.m_block);
    auto op = mlir::arith::ConstantOp::create(builder, m_host.constantLocation(), attribute);
    scope.m_last = op;
    known = op;
  }
  return {known, type};
}

Tensor TensorOps::constantInt(const constant::Int &value, DType dtype) {
  auto type = mlir::IntegerType::get(context(), bitWidth(dtype));
  uint64_t bits = value.isNegative() ? static_cast<uint64_t>(value.toInt64().value_or(0))
                                     : value.toUint64().value_or(0);
  llvm::APInt number(64, bits);
  return constantAttribute(mlir::IntegerAttr::get(type, number.trunc(type.getWidth())), dtype);
}

Tensor TensorOps::constantFloat(double value, DType dtype) {
  if (dtype == DType::Fp8e4b15) {
    // Held as an integer; only zero needs no conversion.
    if (value != 0)
      return cast(constantFloat(value, DType::Fp32), ScalarType{dtype});
    return constantAttribute(mlir::IntegerAttr::get(builder.getI8Type(), 0), dtype);
  }
  auto type = mlir::cast<mlir::FloatType>(mlirType(dtype));
  return constantAttribute(mlir::FloatAttr::get(type, value), dtype);
}

Tensor TensorOps::constantOf(const constant::Value &number, DType dtype) {
  if (isFloating(dtype)) {
    if (number.isFloat())
      return constantFloat(number.real(), dtype);
    return constantFloat(
        number.integer().toDouble().value_or(std::numeric_limits<double>::infinity()), dtype);
  }
  if (number.isFloat()) {
    if (dtype == DType::Int1)
      return constantInt(number.real() != 0 ? 1 : 0, dtype);
    return constantInt(constant::Int::fromDouble(number.real()).value_or(constant::Int()), dtype);
  }
  if (dtype == DType::Int1)
    return constantInt(number.integer().isZero() ? 0 : 1, dtype);
  return constantInt(number.integer(), dtype);
}

DType TensorOps::literalType(const constant::Value &number) {
  if (number.isBool())
    return DType::Int1;
  if (number.isFloat()) {
    double magnitude = std::abs(number.real());
    bool fitsFp32 = magnitude == 0 || std::isinf(magnitude) || std::isnan(magnitude) ||
                    (magnitude >= std::numeric_limits<float>::min() &&
                     magnitude <= std::numeric_limits<float>::max());
    return fitsFp32 ? DType::Fp32 : DType::Fp64;
  }
  if (std::optional<int64_t> value = number.integer().toInt64()) {
    if (*value >= std::numeric_limits<int32_t>::min() &&
        *value <= std::numeric_limits<int32_t>::max())
      return DType::Int32;
    if (*value >= 0 && *value <= std::numeric_limits<uint32_t>::max())
      return DType::Uint32;
    return DType::Int64;
  }
  if (number.integer().toUint64())
    return DType::Uint64;
  fail(DiagnosticKind::ScalarOutOfRange, "the integer " + constant::repr(number) +
                                             " does not fit any type: it needs more than 64 bits");
}

Tensor TensorOps::literal(const constant::Value &number) {
  return constantOf(number, literalType(number));
}

Tensor TensorOps::full(const Type &type, int64_t value) {
  Tensor scalar = isFloating(type.dtype()) ? constantFloat(static_cast<double>(value), type.dtype())
                                           : constantInt(value, type.dtype());
  return type.isBlock() ? splat(scalar, type.shape) : scalar;
}

Tensor TensorOps::toTensor(const Value &value) {
  if (const Tensor *tensor = value.tensor())
    return *tensor;
  if (value.isNumber())
    return literal(*value.constant());
  fail(DiagnosticKind::TypeMismatch, {"cannot convert {} to a tensor", value});
}

void TensorOps::checkShape(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    if (extent < 1 || (extent & (extent - 1)) != 0)
      fail(
          DiagnosticKind::BadShape,
          Message("shape element {} must be a power of 2, but is {}", i, extent).needs(Need::Rank));
    if (extent > kMaxTensorElements || (elements *= extent) > kMaxTensorElements)
      fail(DiagnosticKind::BadShape,
           Message("a block of shape {} has more elements than the maximum of {}", shape,
                   kMaxTensorElements)
               .needs(Need::FewerElements));
  }
}

Tensor TensorOps::splat(const Tensor &scalar, llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return scalar;
  Type type = scalar.type.withShape(Shape(shape));
  auto mlirType = mlir::cast<mlir::RankedTensorType>(this->mlirType(type));
  // A constant becomes a constant block at once.
  if (auto constant = scalar.handle.getDefiningOp<mlir::arith::ConstantOp>())
    return constantAttribute(mlir::DenseElementsAttr::get(mlirType, constant.getValue()), type);
  return {create<tt::SplatOp>(mlirType, scalar.handle), type};
}

Tensor TensorOps::broadcastTo(const Tensor &value, llvm::ArrayRef<int64_t> shape) {
  if (!value.isBlock())
    return splat(value, shape);
  if (value.type.shape.size() != shape.size())
    fail(DiagnosticKind::ShapeMismatch,
         {"cannot broadcast {} to {}: rank mismatch", value.type.shape, shape});
  if (llvm::ArrayRef<int64_t>(value.type.shape) == shape)
    return value;
  for (auto [i, extent] : llvm::enumerate(value.type.shape))
    if (extent != shape[i] && extent != 1)
      fail(DiagnosticKind::ShapeMismatch,
           {"cannot broadcast {} to {}: dimension {} must be 1 or {}, but is {}", value.type.shape,
            shape, i, shape[i], extent});
  Type type = value.type.withShape(Shape(shape));
  mlir::DenseElementsAttr constant;
  if (mlir::matchPattern(value.handle, mlir::m_Constant(&constant)) && constant.isSplat())
    return constantAttribute(
        mlir::DenseElementsAttr::get(mlir::cast<mlir::RankedTensorType>(mlirType(type)),
                                     constant.getSplatValue<mlir::Attribute>()),
        type);
  return {create<tt::BroadcastOp>(mlirType(type), value.handle), type};
}

/// Whether a sum of two rows of integers has a product as one part: `rows * n + columns`. Its parts lack axes.
static bool isIndexWithoutAxes(const Tensor &left, const Tensor &right) {
  const auto isRow = [](const Tensor &value) {
    return value.type.shape.size() == 1 && value.type.scalar.pointerDepth == 0 &&
           isInteger(value.type.dtype());
  };
  const auto isProduct = [](const Tensor &value) {
    return value.handle.getDefiningOp<mlir::arith::MulIOp>() != nullptr;
  };
  return isRow(left) && isRow(right) && isProduct(left) != isProduct(right);
}

void TensorOps::broadcastTogether(Tensor &left, Tensor &right) {
  if (!left.isBlock() && !right.isBlock())
    return;
  if (!left.isBlock() || !right.isBlock()) {
    Tensor &scalar = left.isBlock() ? right : left;
    scalar = splat(scalar, (left.isBlock() ? left : right).type.shape);
    return;
  }
  const Shape leftGiven = left.type.shape, rightGiven = right.type.shape;
  const bool lacksAxes = isIndexWithoutAxes(left, right);
  while (left.type.shape.size() < right.type.shape.size())
    left = expandDims(left, 0);
  while (right.type.shape.size() < left.type.shape.size())
    right = expandDims(right, 0);
  Shape shape;
  for (auto [i, extents] : llvm::enumerate(llvm::zip(left.type.shape, right.type.shape))) {
    auto [l, r] = extents;
    if (l != r && l != 1 && r != 1)
      fail(DiagnosticKind::ShapeMismatch,
           Message(
               "incompatible dimensions at index {}: {} and {} (shapes {} and {}); each dimension "
               "must be equal or 1 on one side",
               i, l, r, leftGiven, rightGiven)
               .extents(l, r)
               .needs(lacksAxes ? Need::Rank : Need::Nothing));
    shape.push_back(l == 1 ? r : l);
  }
  left = broadcastTo(left, shape);
  right = broadcastTo(right, shape);
}

void TensorOps::broadcastTogether(llvm::MutableArrayRef<Tensor> values) {
  // The first takes on the common shape, then all the others do.
  for (Tensor &value : values.drop_front())
    broadcastTogether(values.front(), value);
  for (Tensor &value : values.drop_front())
    broadcastTogether(values.front(), value);
}

Tensor TensorOps::expandDims(const Tensor &value, int64_t axis) {
  Shape shape = value.type.shape;
  shape.insert(shape.begin() + axis, 1);
  if (!value.isBlock())
    return splat(value, shape);
  Type type = value.type.withShape(shape);
  return {create<tt::ExpandDimsOp>(mlirType(type), value.handle, static_cast<uint32_t>(axis)),
          type};
}

Tensor TensorOps::reshape(const Tensor &value, llvm::ArrayRef<int64_t> shape, bool canReorder) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  if (elements != value.type.numElements())
    fail(DiagnosticKind::BadShape,
         Message("`reshape` cannot change the total number of elements: {} has {}, {} has {}",
                 value.type.shape, value.type.numElements(), shape, elements)
             .needs(Need::Rank)
             .totals(value.type.numElements(), elements));
  if (shape.empty())
    return value.isBlock() ? unsplat(value) : value;
  if (!value.isBlock())
    return splat(value, shape);
  Type type = value.type.withShape(Shape(shape));
  return {create<tt::ReshapeOp>(mlirType(type), value.handle, canReorder, false), type};
}

Tensor TensorOps::permute(const Tensor &value, llvm::ArrayRef<int64_t> order) {
  if (!value.isBlock())
    return value;
  Shape shape;
  llvm::SmallVector<int32_t> dims;
  for (int64_t dim : order) {
    shape.push_back(value.type.shape[dim]);
    dims.push_back(static_cast<int32_t>(dim));
  }
  Type type = value.type.withShape(shape);
  return {create<tt::TransOp>(mlirType(type), value.handle, builder.getDenseI32ArrayAttr(dims)),
          type};
}

Tensor TensorOps::unsplat(const Tensor &value) {
  return {create<tt::UnsplatOp>(mlirType(value.type.scalar), value.handle), value.type.scalar};
}

} // namespace tilescope::compiler::frontend
