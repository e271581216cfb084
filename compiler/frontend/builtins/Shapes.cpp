// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions that rearrange the elements of blocks.
#include "compiler/frontend/Builtins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <numeric>

namespace tilescope::compiler::frontend {

static Value broadcast(BuiltinCall &call) {
  Tensor a = call.tensor(0), b = call.tensor(1);
  call.ops.broadcastTogether(a, b);
  return Value::tuple({a, b});
}

static Value broadcastTo(BuiltinCall &call) {
  return call.ops.broadcastTo(call.tensor(0), call.shape(1));
}

static Value expandDims(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  std::vector<int64_t> axes = call.integers(1);
  int64_t rank = static_cast<int64_t>(value.type.shape.size() + axes.size());
  for (int64_t &axis : axes) {
    if (axis < -rank || axis >= rank)
      call.fail(1, DiagnosticKind::BadArgument,
                "invalid axis " + std::to_string(axis) + ": expected " + std::to_string(-rank) +
                    " <= axis < " + std::to_string(rank));
    axis = axis < 0 ? axis + rank : axis;
  }
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end())
    call.fail(1, DiagnosticKind::BadArgument, {"duplicate axes, normalized axes = {}", axes});
  for (int64_t axis : axes)
    value = call.ops.expandDims(value, axis);
  return value;
}

static Value reshape(BuiltinCall &call) {
  return call.ops.reshape(call.tensor(0), call.shape(1), call.boolean(2));
}

static Value view(BuiltinCall &call) {
  return call.ops.reshape(call.tensor(0), call.shape(1), true);
}

static Value item(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  if (!value.isBlock())
    return value;
  if (value.type.numElements() != 1)
    call.fail(0, DiagnosticKind::BadArgument,
              Message("`item` needs a block of one element, got {}", value.type).needs(Need::Rank));
  return call.ops.unsplat(value);
}

static Tensor permuted(BuiltinCall &call, const Tensor &value, std::vector<int64_t> order) {
  int64_t rank = static_cast<int64_t>(value.type.shape.size());
  for (int64_t &dim : order)
    dim = dim < 0 ? dim + rank : dim;
  std::vector<int64_t> sorted = order, expected(rank);
  std::ranges::sort(sorted);
  std::iota(expected.begin(), expected.end(), 0);
  if (sorted != expected)
    call.fail(1, DiagnosticKind::BadArgument,
              Message("permute dims must be a permutation of 0, 1, ..., n-1 for a block of rank "
                      "{}, but were {}",
                      rank, order)
                  .needs(Need::Rank));
  return call.ops.permute(value, order);
}

static Value trans(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  std::vector<int64_t> order = call.integers(1);
  size_t rank = value.type.shape.size();
  if (order.empty()) {
    if (rank < 2)
      call.fail(
          0, DiagnosticKind::BadArgument,
          Message("`trans` needs a block of rank 2 or more, got {}", value.type).needs(Need::Rank));
    order.resize(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[rank - 1], order[rank - 2]);
  }
  return permuted(call, value, std::move(order));
}

static Value permute(BuiltinCall &call) { return permuted(call, call.tensor(0), call.integers(1)); }

static Value join(BuiltinCall &call) {
  Tensor a = call.tensor(0), b = call.tensor(1);
  if (a.type.scalar != b.type.scalar)
    call.fail(1, DiagnosticKind::TypeMismatch,
              {"`join` needs operands of one type, got {} and {}", a.type, b.type});
  call.ops.broadcastTogether(a, b);
  bool isScalar = !a.isBlock();
  if (isScalar) {
    a = call.ops.expandDims(a, 0);
    b = call.ops.expandDims(b, 0);
  }
  Shape shape = a.type.shape;
  shape.push_back(2);
  call.ops.checkShape(shape);
  Type type = a.type.withShape(shape);
  Tensor joined =
      call.ops.wrap(call.ops.create<tt::JoinOp>(call.ops.mlirType(type), a.handle, b.handle), type);
  return isScalar ? call.ops.reshape(joined, {2}, false) : joined;
}

static Value split(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  if (!value.isBlock() || value.type.shape.back() != 2)
    call.fail(0, DiagnosticKind::BadShape,
              {"`split` needs a last dimension of extent 2, got {}", value.type});
  bool isRankOne = value.type.shape.size() == 1;
  if (isRankOne)
    value = call.ops.expandDims(value, 0);
  Shape shape(value.type.shape.begin(), value.type.shape.end() - 1);
  Type type = value.type.withShape(shape);
  mlir::Type half = call.ops.mlirType(type);
  auto op = call.ops.create<tt::SplitOp>(half, half, value.handle);
  Tensor left{op.getOutLHS(), type}, right{op.getOutRHS(), type};
  if (isRankOne)
    return Value::tuple({call.ops.unsplat(left), call.ops.unsplat(right)});
  return Value::tuple({left, right});
}

static Value cat(BuiltinCall &call) {
  Tensor a = call.tensor(0), b = call.tensor(1);
  if (a.type.scalar != b.type.scalar || a.type.shape != b.type.shape || !a.isBlock())
    call.fail(1, DiagnosticKind::TypeMismatch,
              Message("`cat` needs two blocks of one type and shape, got {} and {}", a.type, b.type)
                  .needs(Need::Rank));
  int64_t rank = static_cast<int64_t>(a.type.shape.size());
  if (call.boolean(2) && rank == 1) {
    Type type = a.type.withShape({2 * a.type.shape[0]});
    return call.ops.wrap(call.ops.create<tt::CatOp>(call.ops.mlirType(type), a.handle, b.handle),
                         type);
  }
  // Both halves side by side in a new last dimension, which then moves before `dim`.
  int64_t dim = call.axis(3, rank);
  Shape shape = a.type.shape;
  shape.push_back(2);
  Type type = a.type.withShape(shape);
  Tensor joined =
      call.ops.wrap(call.ops.create<tt::JoinOp>(call.ops.mlirType(type), a.handle, b.handle), type);
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  order.insert(order.begin() + dim, rank);
  Shape result = a.type.shape;
  result[dim] *= 2;
  return call.ops.reshape(call.ops.permute(joined, order), result, false);
}

static Value squeeze(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  int64_t dim = call.axis(1, static_cast<int64_t>(value.type.shape.size()));
  if (value.type.shape[dim] != 1)
    call.fail(1, DiagnosticKind::BadShape,
              {"`squeeze` needs a dimension of extent 1, but dimension {} of {} is not", dim,
               value.type});
  Shape shape = value.type.shape;
  shape.erase(shape.begin() + dim);
  return call.ops.reshape(value, shape, false);
}

/// The number of an axis, counted from the first; what functions of the library check theirs with.
static Value dimension(BuiltinCall &call) {
  return constant::Value::integer(
      call.axis(1, static_cast<int64_t>(call.tensor(0).type.shape.size())));
}

static Value unsqueeze(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  int64_t dim = call.axis(1, static_cast<int64_t>(value.type.shape.size()) + 1);
  Shape shape = value.type.shape;
  shape.insert(shape.begin() + dim, 1);
  return call.ops.reshape(value, shape, false);
}

static Value gather(BuiltinCall &call) {
  Tensor source = call.tensor(0), index = call.tensor(1);
  if (!index.isBlock() || index.type.isPointer() || !isInteger(index.dtype()))
    call.fail(1, DiagnosticKind::TypeMismatch,
              Message("`gather` needs a block of integers as index, got {}", index.type)
                  .needs(Need::Rank));
  size_t rank = source.type.shape.size();
  if (index.type.shape.size() != rank)
    call.fail(1, DiagnosticKind::ShapeMismatch, "source and index must have the same rank");
  int64_t axis = call.axis(2, static_cast<int64_t>(rank));
  for (size_t dim = 0; dim < rank; ++dim)
    if (static_cast<int64_t>(dim) != axis && source.type.shape[dim] != index.type.shape[dim])
      call.fail(1, DiagnosticKind::ShapeMismatch,
                "index dim " + std::to_string(dim) + " must match the corresponding source dim");
  Type type = source.type.withShape(index.type.shape);
  auto op = call.ops.create<tt::GatherOp>(call.ops.mlirType(type), source.handle, index.handle,
                                          static_cast<uint32_t>(axis), false);
  return call.ops.wrap(op, type);
}

static Value histogram(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  if (value.type.shape.size() != 1)
    call.fail(0, DiagnosticKind::BadShape, "histogram only supports 1D input");
  if (value.type.isPointer() || !isInteger(value.dtype()) || bitWidth(value.dtype()) != 32)
    call.fail(0, DiagnosticKind::TypeMismatch, "histogram only supports 32-bit integer input");
  int64_t bins = call.integer(1);
  call.ops.checkShape({bins});
  mlir::Value mask;
  if (!call.isNone(2)) {
    Tensor condition = call.ops.broadcastTo(call.tensor(2), value.type.shape);
    if (condition.dtype() != DType::Int1)
      call.fail(2, DiagnosticKind::TypeMismatch,
                Message("mask must have boolean scalar type").wants(DType::Int1));
    mask = condition.handle;
  }
  Type type(ScalarType{DType::Int32}, {bins});
  return call.ops.wrap(
      call.ops.create<tt::HistogramOp>(call.ops.mlirType(type), value.handle, mask), type);
}

static Value where(BuiltinCall &call) {
  Tensor condition = call.tensor(0);
  if (condition.dtype() != DType::Int1)
    call.ops.warn(DiagnosticKind::Deprecated,
                  "`tl.where` with a non-boolean condition: it is taken as `condition != 0`");
  condition = call.ops.cast(condition, ScalarType{DType::Int1});
  auto [x, y] = call.ops.promoteOperands(call[1], call[2],
                                         {.allowLeftPointer = true, .allowRightPointer = true});
  if (x.type.scalar != y.type.scalar)
    call.fail(
        2, DiagnosticKind::TypeMismatch,
        {"both values of `where` must be pointers of one type, got {} and {}", x.type, y.type});
  call.ops.broadcastTogether(condition, x);
  call.ops.broadcastTogether(x, y);
  return call.ops.select(condition, x, y);
}

std::span<const Builtin> shapeBuiltins() {
  static const Builtin builtins[] = {
      {"broadcast", "input, other", broadcast},
      {"broadcast_to", "input, *shape", broadcastTo, true},
      {"expand_dims", "input, axis", expandDims, true},
      {"reshape", "input, *shape, can_reorder=False", reshape, true},
      {"view", "input, *shape", view, true},
      {"item", "input", item, true},
      {"trans", "input, *dims", trans, true},
      {"permute", "input, *dims", permute, true},
      {"join", "a, b", join},
      {"split", "a", split, true},
      {"cat", "input, other, can_reorder=False, dim=0", cat},
      {"_dimension", "x, dim", dimension},
      {"squeeze", "x, dim", squeeze, true},
      {"unsqueeze", "x, dim", unsqueeze, true},
      {"gather", "src, index, axis", gather, true},
      {"histogram", "input, num_bins, mask=None", histogram, true},
      {"where", "condition, x, y", where},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
