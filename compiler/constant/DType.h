// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/types/ScalarType.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::constant {

/// A `tl.dtype`: a scalar, a pointer to a dtype, or a block of scalars or pointers.
struct DType {
  /// The scalar type; for pointers the innermost pointee.
  ScalarKind scalar = ScalarKind::Void;
  /// What a pointer points to; null when this is not a pointer.
  std::shared_ptr<const DType> pointee;
  int addressSpace = 1;
  bool isConst = false;
  /// Extents of a block type; empty for scalars and single pointers.
  std::vector<int64_t> shape;

  bool isPointer() const { return pointee != nullptr; }
  bool isBlock() const { return !shape.empty(); }
  /// Counts as unsigned, as Triton has it; bool too.
  bool isUnsigned() const;
  bool isSigned() const;
  bool isBool() const;
  /// Integers and bool.
  bool isInt() const;
  bool isFloating() const;
  /// fp16, bf16, fp32, fp64.
  bool isStandardFloating() const;
  bool isFp8() const;
  /// `primitive_bitwidth`: 1 for int1, 64 for pointers, 0 for void.
  int bitWidth() const;
  /// `fp_mantissa_width` and `exponent_bias`; 0 unless floating.
  int mantissaWidth() const;
  int exponentBias() const;

  /// Triton's name, e.g. `fp16`, `int32`, `pointer<fp32>`, `<['16', '32'], fp16>`.
  std::string name() const;
  /// How a kernel spells it, e.g. `float16`; for pointers `pointer_type(tl.float16)`.
  std::string languageName() const;

  bool operator==(const DType &other) const;

  static DType of(ScalarKind kind) { return DType{kind, nullptr, 1, false, {}}; }
  static DType of(const ScalarType &type);
  /// Nothing for block types.
  std::optional<ScalarType> toScalar() const;
  static DType pointerTo(DType pointee, int addressSpace = 1, bool isConst = false);
  static DType block(DType element, std::vector<int64_t> shape);
};

/// Reads a name of `triton.language` or of signatures: `float16`, `fp16`, `*fp16`; nothing when it
/// names no type.
std::optional<DType> dtypeNamed(std::string_view text);

/// Reads a name of `triton.language`: `float16`, `int1`, `uint8`, `void`, …
std::optional<DType> dtypeFromLanguageName(std::string_view name);

/// Every name that `dtypeFromLanguageName` knows, in the language's order.
const std::vector<std::string_view> &dtypeLanguageNames();

} // namespace tilescope::compiler::constant
