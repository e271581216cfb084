// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Block pointers: a window into a strided array, kept as base, extents, strides and offsets, and
// turned into a block of plain pointers at each access:
//
//   address = base + sum over d of (offset_d + arange(block_d)) * stride_d
//   in bounds where 0 <= offset_d + arange(block_d) < extent_d for each checked d
#include "compiler/frontend/builtins/Memory.h"

#include <algorithm>
#include <limits>

namespace tilescope::compiler::frontend {

static Tensor asInt64(BuiltinCall &call, size_t parameter, const Value &value) {
  Tensor number = call.ops.toTensor(value);
  if (number.isBlock() || number.type.isPointer() || !isInteger(number.dtype()))
    call.fail(parameter, DiagnosticKind::TypeMismatch,
              {"expected a list of scalar integers in `{}`, got {}",
               parametersOf(call.builtin)[parameter].name, value});
  return call.ops.cast(number, ScalarType{DType::Int64});
}

static std::vector<Tensor> asInt64s(BuiltinCall &call, size_t parameter) {
  std::vector<Tensor> numbers;
  for (const Value &item : call.items(parameter))
    numbers.push_back(asInt64(call, parameter, item));
  return numbers;
}

static Value makeBlockPointer(BuiltinCall &call) {
  Tensor base = call.tensor(0);
  if (!base.type.isPointer() || base.isBlock())
    call.fail(0, DiagnosticKind::TypeMismatch,
              Message("expected `base` to be a pointer, got {}", base.type).needs(Need::Pointer));
  if (base.type.scalar.pointee() == ScalarType{DType::Int1})
    base = call.ops.cast(base, ScalarType{DType::Int8}.pointerTo());
  BlockPointer pointer{base, asInt64s(call, 1), asInt64s(call, 2), asInt64s(call, 3),
                       call.shape(4)};
  std::vector<int64_t> order = call.integers(5);
  size_t rank = pointer.blockShape.size();
  if (pointer.shape.size() != rank || pointer.strides.size() != rank ||
      pointer.offsets.size() != rank || order.size() != rank)
    call.emitter.failAt(call.range, DiagnosticKind::BadArgument,
                        "expected shape, strides, offsets, block_shape and order of "
                        "`make_block_ptr` to have the same length");
  std::ranges::sort(order);
  for (size_t i = 0; i < rank; ++i)
    if (order[i] != static_cast<int64_t>(i))
      call.fail(5, DiagnosticKind::BadArgument, "expected `order` to be a permutation of the dims");
  return pointer;
}

static Value advance(BuiltinCall &call) {
  const BlockPointer *base = call[0].blockPointer();
  if (!base)
    call.fail(0, DiagnosticKind::TypeMismatch,
              {"`advance` needs a block pointer, got {}", call[0]});
  BlockPointer pointer = *base;
  std::vector<Value> offsets = call.items(1);
  if (offsets.size() != pointer.offsets.size())
    call.fail(1, DiagnosticKind::BadArgument,
              "expected one offset for each of the " + std::to_string(pointer.offsets.size()) +
                  " dimensions");
  for (auto [offset, delta] : llvm::zip(pointer.offsets, offsets))
    offset = call.ops.binary(ast::BinaryOpKind::Add, offset, asInt64(call, 1, delta));
  return pointer;
}

static std::vector<int64_t> checkedDims(BuiltinCall &call, size_t parameter, size_t rank) {
  std::vector<int64_t> dims = call.integers(parameter);
  std::ranges::sort(dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= static_cast<int64_t>(rank))
      call.fail(parameter, DiagnosticKind::BadArgument,
                "dimension " + std::to_string(dims[i]) +
                    " in `boundary_check` is out of range for a block of rank " +
                    std::to_string(rank));
    if (i && dims[i] == dims[i - 1])
      call.fail(parameter, DiagnosticKind::BadArgument,
                "duplicate dimension " + std::to_string(dims[i]) + " in `boundary_check`");
  }
  return dims;
}

namespace {
/// The plain pointers of a block and which of them are in bounds (all, when there is no mask).
struct Window {
  Tensor pointers;
  std::optional<Tensor> mask;
};
} // namespace

static Window expandWindow(TensorOps &ops, const BlockPointer &pointer,
                           const std::vector<int64_t> &checked) {
  using ast::BinaryOpKind;
  size_t rank = pointer.blockShape.size();
  Window window{ops.splat(pointer.base, pointer.blockShape), std::nullopt};
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = pointer.blockShape[dim];
    Type rangeType(ScalarType{DType::Int32}, {extent});
    Tensor lane = ops.wrap(ops.create<tt::MakeRangeOp>(ops.mlirType(rangeType), uint32_t{0},
                                                       static_cast<uint32_t>(extent)),
                           rangeType);
    lane = ops.cast(lane, ScalarType{DType::Int64});
    Tensor position =
        ops.binary(BinaryOpKind::Add, ops.splat(pointer.offsets[dim], {extent}), lane);
    for (size_t other = 0; other < rank; ++other)
      if (other != dim)
        position = ops.expandDims(position, static_cast<int64_t>(other));
    Tensor offset = ops.binary(BinaryOpKind::Mult, position, pointer.strides[dim]);
    window.pointers = ops.addPointer(window.pointers, ops.broadcastTo(offset, pointer.blockShape));
    if (std::ranges::find(checked, static_cast<int64_t>(dim)) == checked.end())
      continue;
    Tensor zero = ops.constantInt(0, DType::Int64);
    Tensor inside =
        ops.bitwise(BinaryOpKind::BitAnd, ops.compare(ast::CompareOpKind::GtE, position, zero),
                    ops.compare(ast::CompareOpKind::Lt, position, pointer.shape[dim]));
    inside = ops.broadcastTo(inside, pointer.blockShape);
    window.mask = window.mask ? ops.bitwise(BinaryOpKind::BitAnd, *window.mask, inside) : inside;
  }
  return window;
}

Value loadBlock(BuiltinCall &call, const BlockPointer &pointer, const LoadOptions &options) {
  for (size_t parameter : {1, 2})
    if (!call.isNone(parameter))
      call.fail(parameter, DiagnosticKind::BadArgument,
                "`mask` and `other` arguments cannot be specified for loading block pointers");
  std::string padding = call.string(4);
  DType element = pointer.base.type.scalar.pointee().dtype;
  if (!padding.empty() && padding != "zero" && padding != "nan")
    call.fail(4, DiagnosticKind::BadArgument, "padding option \"" + padding + "\" not supported");
  if (padding == "nan" && !isFloating(element))
    call.fail(4, DiagnosticKind::BadArgument,
              "padding option `nan` is not supported for integer block pointers");
  Window window = expandWindow(call.ops, pointer, checkedDims(call, 3, pointer.blockShape.size()));
  std::optional<Tensor> other;
  if (window.mask && padding == "nan")
    other = call.ops.constantFloat(std::numeric_limits<double>::quiet_NaN(), element);
  else if (window.mask && padding == "zero")
    other = call.ops.full(Type(element), 0);
  return emitLoad(call, window.pointers, window.mask, other, options);
}

void storeBlock(BuiltinCall &call, const BlockPointer &pointer, tt::CacheModifier cache,
                tt::EvictionPolicy eviction) {
  if (!call.isNone(2))
    call.fail(2, DiagnosticKind::BadArgument,
              "`mask` argument cannot be specified for storing block pointers");
  if (pointer.base.type.scalar.isConst)
    call.fail(0, DiagnosticKind::TypeMismatch, "cannot store to a constant pointer");
  Tensor value = call.tensor(1);
  if (value.isBlock() && value.type.shape != pointer.blockShape)
    call.fail(
        1, DiagnosticKind::ShapeMismatch,
        {"block shape {} and value block shape {} mismatch", pointer.blockShape, value.type.shape});
  Window window = expandWindow(call.ops, pointer, checkedDims(call, 3, pointer.blockShape.size()));
  emitStore(call, window.pointers, value, window.mask, cache, eviction);
}

std::span<const Builtin> blockPointerBuiltins() {
  static const Builtin builtins[] = {
      {"make_block_ptr", "base, shape, strides, offsets, block_shape, order", makeBlockPointer},
      {"advance", "base, offsets", advance, true},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
