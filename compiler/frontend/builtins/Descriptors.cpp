// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensor descriptors: base, shape and strides of an array, from which blocks of one shape are
// loaded.
#include "compiler/frontend/Builtins.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::compiler::frontend {

static Tensor scalarInteger(BuiltinCall &call, size_t parameter, const Value &value, DType type) {
  Tensor number = call.ops.toTensor(value);
  if (number.isBlock() || number.type.isPointer() || !isInteger(number.dtype()))
    call.fail(parameter, DiagnosticKind::TypeMismatch, {"expected scalar integers, got {}", value});
  return call.ops.cast(number, ScalarType{type});
}

/// Integer elements keep their sign in the type of a descriptor.
static mlir::Type descriptorType(TensorOps &ops, const Type &block) {
  mlir::Type element = ops.mlirType(Type(block.scalar));
  if (isInteger(block.dtype()) && block.dtype() != DType::Int1)
    element = mlir::IntegerType::get(ops.context(), bitWidth(block.dtype()),
                                     isSigned(block.dtype()) ? mlir::IntegerType::Signed
                                                             : mlir::IntegerType::Unsigned);
  return tt::TensorDescType::get(mlir::RankedTensorType::get(block.shape, element));
}

static Value makeDescriptor(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Tensor base = call.tensor(0);
  if (!base.type.isPointer() || base.isBlock())
    call.fail(0, DiagnosticKind::TypeMismatch,
              Message("expected `base` to be a pointer, got {}", base.type).needs(Need::Pointer));
  ScalarType element = base.type.scalar.pointee();
  Shape blockShape = call.shape(3);
  std::vector<Value> shape = call.items(1), strides = call.items(2);
  size_t rank = blockShape.size();
  if (rank < 1 || rank > 5)
    call.fail(3, DiagnosticKind::BadArgument,
              "expected 1 <= ndim <= 5 but got " + std::to_string(rank) + " dimensions");
  if (shape.size() != rank || strides.size() != rank)
    call.emitter.failAt(call.range, DiagnosticKind::BadArgument,
                        "expected shape, strides and block_shape of the same length");
  std::optional<int64_t> last =
      strides.back().constant() ? strides.back().constant()->toInt64() : std::nullopt;
  if (last != 1)
    call.fail(2, DiagnosticKind::BadArgument,
              Message("tensor descriptor last dim must be 1 but got {}", strides.back())
                  .needs(Need::UnitStride));
  if (blockShape.back() * element.bits() / 8 < 16)
    call.fail(3, DiagnosticKind::BadShape,
              "descriptor block shape must have at least 16 bytes in the last dimension, but got " +
                  std::to_string(blockShape.back()) + " * " + std::to_string(element.bits() / 8) +
                  " = " + std::to_string(blockShape.back() * element.bits() / 8) + " bytes");
  auto padding = llvm::StringSwitch<std::optional<tt::PaddingOption>>(call.string(4))
                     .Cases({"", "zero"}, tt::PaddingOption::PAD_ZERO)
                     .Case("nan", tt::PaddingOption::PAD_NAN)
                     .Default(std::nullopt);
  if (!padding || (*padding == tt::PaddingOption::PAD_NAN && !isFloating(element.dtype)))
    call.fail(4, DiagnosticKind::BadArgument,
              {"padding option \"{}\" is not supported for `{}`", call.string(4), element});
  TensorDescriptor descriptor;
  descriptor.blockType = Type(element, blockShape);
  llvm::SmallVector<mlir::Value> shapeHandles, strideHandles;
  for (const Value &extent : shape) {
    descriptor.shape.push_back(scalarInteger(call, 1, extent, DType::Int32));
    shapeHandles.push_back(descriptor.shape.back().handle);
  }
  for (const Value &stride : strides) {
    descriptor.strides.push_back(scalarInteger(call, 2, stride, DType::Int64));
    strideHandles.push_back(descriptor.strides.back().handle);
  }
  descriptor.handle =
      ops.create<tt::MakeTensorDescOp>(descriptorType(ops, descriptor.blockType), base.handle,
                                       shapeHandles, strideHandles, *padding);
  return descriptor;
}

static const TensorDescriptor &descriptorArgument(BuiltinCall &call) {
  if (const TensorDescriptor *descriptor = call[0].descriptor())
    return *descriptor;
  call.fail(0, DiagnosticKind::TypeMismatch,
            Message("expected a tensor descriptor, got {}", call[0]).needs(Need::Descriptor));
}

static llvm::SmallVector<mlir::Value> offsets(BuiltinCall &call, const TensorDescriptor &descriptor,
                                              size_t parameter) {
  llvm::SmallVector<mlir::Value> handles;
  for (const Value &offset : call.items(parameter)) {
    Tensor number = call.ops.toTensor(offset);
    if (number.isBlock() || number.type.isPointer() || !isInteger(number.dtype()) ||
        bitWidth(number.dtype()) > 32)
      call.fail(parameter, DiagnosticKind::TypeMismatch,
                Message("expected a 32-bit integer, got {}; add a `.to(tl.int32)`", offset)
                    .wants(DType::Int32));
    handles.push_back(call.ops.cast(number, ScalarType{DType::Int32}).handle);
  }
  if (handles.size() != descriptor.blockType.shape.size())
    call.fail(parameter, DiagnosticKind::BadArgument,
              "expected " + std::to_string(descriptor.blockType.shape.size()) +
                  " offsets, but got " + std::to_string(handles.size()));
  return handles;
}

static Value loadDescriptor(BuiltinCall &call) {
  const TensorDescriptor &descriptor = descriptorArgument(call);
  auto op = call.ops.create<tt::DescriptorLoadOp>(
      call.ops.mlirType(descriptor.blockType), descriptor.handle, offsets(call, descriptor, 1),
      tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL);
  return call.ops.wrap(op, descriptor.blockType);
}

static Tensor blockArgument(BuiltinCall &call, const TensorDescriptor &descriptor) {
  Tensor value = call.tensor(2);
  if (value.type.shape != descriptor.blockType.shape)
    call.fail(2, DiagnosticKind::ShapeMismatch,
              {"the value must have the descriptor's block shape {}, got {}",
               descriptor.blockType.shape, value.type});
  return call.ops.cast(value, descriptor.blockType.scalar);
}

static Value storeDescriptor(BuiltinCall &call) {
  const TensorDescriptor &descriptor = descriptorArgument(call);
  Tensor value = blockArgument(call, descriptor);
  call.ops.create<tt::DescriptorStoreOp>(descriptor.handle, value.handle,
                                         offsets(call, descriptor, 1));
  return {};
}

/// What memory reduces by itself.
static bool isReducible(tt::DescriptorReduceKind kind, DType type) {
  using Kind = tt::DescriptorReduceKind;
  bool isHalf = type == DType::Fp16 || type == DType::Bf16;
  bool isWide = isInteger(type) && bitWidth(type) >= 32;
  switch (kind) {
  case Kind::ADD:
    return isHalf || type == DType::Fp32 || (isWide && type != DType::Int64);
  case Kind::MIN:
  case Kind::MAX:
    return isHalf || isWide;
  default:
    return isWide;
  }
}

static Value reduceDescriptor(BuiltinCall &call, tt::DescriptorReduceKind kind) {
  const TensorDescriptor &descriptor = descriptorArgument(call);
  if (!isReducible(kind, descriptor.blockType.scalar.dtype))
    call.fail(0, DiagnosticKind::DtypeUnsupported,
              {"unsupported dtype `{}` in {} through a descriptor", descriptor.blockType.scalar,
               call.name()});
  Tensor value = blockArgument(call, descriptor);
  call.ops.create<tt::DescriptorReduceOp>(kind, descriptor.handle, value.handle,
                                          offsets(call, descriptor, 1));
  return {};
}
template <tt::DescriptorReduceKind kind> static Value reduceInto(BuiltinCall &call) {
  return reduceDescriptor(call, kind);
}

namespace {
/// Rows of a described matrix: which, and from which column on.
struct Rows {
  const TensorDescriptor &descriptor;
  Tensor indices;
  mlir::Value column;
  Type block;
};
} // namespace

static Rows rowsArgument(BuiltinCall &call, size_t rows, size_t column) {
  const TensorDescriptor &descriptor = descriptorArgument(call);
  const Shape &shape = descriptor.blockType.shape;
  if (shape.size() != 2 || shape[0] != 1)
    call.fail(0, DiagnosticKind::BadShape,
              {"{} needs a descriptor of blocks of one row, got {}", call.name(), shape});
  Tensor indices = call.tensor(rows);
  bool isIndices = !indices.type.isPointer() && indices.type.shape.size() == 1 &&
                   isInteger(indices.dtype()) &&
                   (bitWidth(indices.dtype()) == 32 || bitWidth(indices.dtype()) == 16);
  if (!isIndices)
    call.fail(
        rows, DiagnosticKind::TypeMismatch,
        Message("the rows must be a block of `int32` or `int16` of rank 1, got {}", indices.type)
            .wants({DType::Int32, DType::Int16}));
  if (indices.type.shape[0] < 8)
    call.fail(rows, DiagnosticKind::BadShape,
              call.name() + " must have at least 8 rows, got " +
                  std::to_string(indices.type.shape[0]));
  int64_t minimum = 32 / descriptor.blockType.scalar.bits() * 8;
  if (shape[1] < minimum)
    call.fail(0, DiagnosticKind::BadShape,
              {"{} of `{}` must have at least {} columns, got {}", call.name(),
               descriptor.blockType.scalar, minimum, shape[1]});
  Tensor start = scalarInteger(call, column, call[column], DType::Int32);
  return {descriptor, indices, start.handle,
          descriptor.blockType.withShape({indices.type.shape[0], shape[1]})};
}

static Value gatherRows(BuiltinCall &call) {
  Rows rows = rowsArgument(call, 1, 2);
  auto op = call.ops.create<tt::DescriptorGatherOp>(
      call.ops.mlirType(rows.block), rows.descriptor.handle, rows.indices.handle, rows.column);
  return call.ops.wrap(op, rows.block);
}

static Value scatterRows(BuiltinCall &call) {
  Rows rows = rowsArgument(call, 2, 3);
  Tensor value = call.tensor(1);
  if (value.type.shape != rows.block.shape)
    call.fail(1, DiagnosticKind::ShapeMismatch,
              {"the value must have the shape {}, got {}", rows.block.shape, value.type});
  value = call.ops.cast(value, rows.block.scalar);
  call.ops.create<tt::DescriptorScatterOp>(rows.descriptor.handle, rows.indices.handle, rows.column,
                                           value.handle);
  return {};
}

/// The form of old kernels: shape and type are repeated, and must be the descriptor's own.
static Value loadExperimental(BuiltinCall &call) {
  const TensorDescriptor &descriptor = descriptorArgument(call);
  if (call.shape(2) != descriptor.blockType.shape || call.dtype(3) != descriptor.blockType.scalar)
    call.fail(2, DiagnosticKind::ShapeMismatch,
              {"the descriptor has blocks {}", descriptor.blockType});
  return loadDescriptor(call);
}
/// `value` comes before `offsets` here.
static Value storeExperimental(BuiltinCall &call) {
  return callBuiltin(call.emitter, *findBuiltin("store_tensor_descriptor"),
                     {{call[0], call.rangeOf(0), {}},
                      {call[2], call.rangeOf(2), {}},
                      {call[1], call.rangeOf(1), {}}},
                     call.range);
}

std::span<const Builtin> descriptorBuiltins() {
  using Kind = tt::DescriptorReduceKind;
  static constexpr const char *kMake = "base, shape, strides, block_shape, padding_option=\"zero\"";
  static constexpr const char *kStore = "desc, offsets, value";
  static const Builtin builtins[] = {
      {"make_tensor_descriptor", kMake, makeDescriptor},
      {"_experimental_make_tensor_descriptor", kMake, makeDescriptor},
      {"load_tensor_descriptor", "desc, offsets", loadDescriptor},
      {"store_tensor_descriptor", kStore, storeDescriptor},
      {"_experimental_descriptor_load", "desc, offsets, shape, dtype", loadExperimental},
      {"_experimental_descriptor_store", "desc, value, offsets", storeExperimental},
      {"descriptor.load", "desc, offsets", loadDescriptor},
      {"descriptor.gather", "desc, x_offsets, y_offset", gatherRows},
      {"descriptor.scatter", "desc, value, x_offsets, y_offset", scatterRows},
      {"descriptor.store", kStore, storeDescriptor},
      {"descriptor.atomic_add", kStore, reduceInto<Kind::ADD>},
      {"descriptor.atomic_min", kStore, reduceInto<Kind::MIN>},
      {"descriptor.atomic_max", kStore, reduceInto<Kind::MAX>},
      {"descriptor.atomic_and", kStore, reduceInto<Kind::AND>},
      {"descriptor.atomic_or", kStore, reduceInto<Kind::OR>},
      {"descriptor.atomic_xor", kStore, reduceInto<Kind::XOR>},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
