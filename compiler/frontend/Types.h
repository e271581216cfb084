// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The types of the kernel language. They differ from the IR's in one point: integers have a sign,
// which the IR leaves to the operations. `i1` counts as unsigned and as boolean.
#pragma once

#include "compiler/constant/DType.h"
#include "compiler/types/SignatureType.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

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

/// The words of the language: `fp32`, `pointer<fp16>`, `int32[128, 64]`.
std::string toString(const ScalarType &type);
std::string toString(const Type &type);
/// `[128, 64]`
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

mlir::Type toMlir(mlir::MLIRContext *context, const ScalarType &type);
mlir::Type toMlir(mlir::MLIRContext *context, const Type &type);
/// Of an argument of a function; nothing for what the language has no scalar or pointer for.
/// Integers count as signed.
std::optional<ScalarType> fromMlir(mlir::Type type);

/// Blocks of more elements are refused.
inline constexpr int64_t kMaxTensorElements = 1048576;

} // namespace tilescope::compiler::frontend
