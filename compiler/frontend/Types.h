// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The types of the kernel language. They differ from the IR's in one point: integers have a sign,
// which the IR leaves to the operations. `i1` counts as unsigned and as boolean.
#pragma once

#include "compiler/constant/DType.h"
#include "compiler/types/ScalarKind.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class MLIRContext;
class Type;
} // namespace mlir

namespace tilescope::compiler::frontend {

/// The scalar types, shared with the values of compile time.
using DType = ScalarKind;

/// Order matters: a Python number takes over the type of an operand of its own kind or a higher
/// one.
enum class NumberKind : uint8_t { Boolean, Integral, Floating };

/// As messages and mangled names say it: `fp16`, `int32`.
inline std::string nameOf(DType dtype) { return std::string(scalarInfo(dtype).name); }
NumberKind numberKind(DType dtype);

inline int bitWidth(DType dtype) { return scalarInfo(dtype).bits; }
inline bool isFloating(DType dtype) { return scalarInfo(dtype).category == ScalarClass::Floating; }
inline bool isInteger(DType dtype) { return !isFloating(dtype) && dtype != DType::Void; }
inline bool isSigned(DType dtype) {
  return isFloating(dtype) || scalarInfo(dtype).category == ScalarClass::Signed;
}
inline bool isUnsignedInteger(DType dtype) { return isInteger(dtype) && !isSigned(dtype); }
inline bool isFp8(DType dtype) { return isFloating(dtype) && bitWidth(dtype) == 8; }
inline bool isStandardFloat(DType dtype) { return isFloating(dtype) && bitWidth(dtype) > 8; }
/// The integer type of that width and sign.
DType integerOf(int bits, bool isSigned);

/// A dtype, or a pointer to one (or to another pointer).
struct ScalarType {
  DType dtype = DType::Void;
  uint8_t pointerDepth = 0;
  /// `*k` of a signature: what it points to cannot be stored to.
  bool isConst = false;
  uint8_t addressSpace = 1;

  bool isPointer() const { return pointerDepth != 0; }
  ScalarType pointee() const;
  ScalarType pointerTo(bool constPointee = false, int space = 1) const;
  /// Pointers have the width of an address.
  int bits() const { return isPointer() ? 64 : bitWidth(dtype); }
  bool operator==(const ScalarType &) const = default;
};

using Shape = llvm::SmallVector<int64_t, 4>;

/// The type of a run-time value: a scalar when `shape` is empty, else a block.
struct Type {
  ScalarType scalar;
  Shape shape;

  Type() = default;
  Type(DType dtype) : scalar{dtype} {}
  Type(ScalarType scalar, Shape shape = {}) : scalar(scalar), shape(std::move(shape)) {}

  bool isBlock() const { return !shape.empty(); }
  bool isPointer() const { return scalar.isPointer(); }
  DType dtype() const { return scalar.dtype; }
  int64_t numElements() const;
  /// The same shape of another scalar.
  Type with(ScalarType other) const { return {other, shape}; }
  Type withShape(Shape other) const { return {scalar, std::move(other)}; }
  bool operator==(const Type &) const = default;
};

/// The words of the language: `fp32`, `pointer<fp16>`, `tensor<int32>[128, 64]`.
std::string toString(const ScalarType &type);
std::string toString(const Type &type);
/// `[128, 64]`
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Triton's notation of a signature, without hints: `*fp32`, `i32`.
std::string toSignature(const ScalarType &type);

/// One entry of a signature: `*fp32:16`, `i32:1`, `constexpr`, and the entries that consist of
/// several arguments: a tuple `(*fp32:16, n=i32)`, a tensor descriptor `tensordesc<fp16[64,64]>`.
/// Functions that are not kernels may take blocks too, `fp32[128]`, `*fp32[128]`, and block
/// pointers, `blockptr<fp16[64,64]>`.
struct SignatureEntry {
  bool isConstexpr = false;
  bool isTuple = false;
  bool isDescriptor = false;
  bool isBlockPointer = false;
  ScalarType type;
  /// Of a block, descriptor or block pointer, else empty.
  Shape shape;
  /// Of a tuple.
  std::vector<SignatureEntry> items;
  /// The name of an item of a named tuple; empty for others.
  std::string field;
  /// The text of an item of a tuple that is a constant; empty for others.
  std::string literal;
  /// The value is divisible by 16.
  bool isDivisible = false;
  /// The value equals 1, so it is a constant of the specialization.
  bool isOne = false;
};
/// Nothing when the text is not a type.
std::optional<SignatureEntry> parseSignatureEntry(std::string_view text);
/// The text of an entry, with its hints.
std::string toSignature(const SignatureEntry &entry);

/// The same type as a value of compile time (`x.dtype`), and back; nothing for block types.
constant::DType toConstant(const ScalarType &type);
std::optional<ScalarType> fromConstant(const constant::DType &type);

mlir::Type toMlir(mlir::MLIRContext *context, const ScalarType &type);
mlir::Type toMlir(mlir::MLIRContext *context, const Type &type);

/// Blocks of more elements are refused.
inline constexpr int64_t kMaxTensorElements = 1048576;

} // namespace tilescope::compiler::frontend
