// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a signature says of one argument, in Triton's notation:
//
//   *fp32:16                        a pointer, divisible by 16
//   i32:1                           an integer that is 1
//   constexpr                       a value of compile time
//   (*fp32:16, n=i32, 4)            a tuple, with the name of an item, and a constant
//   tensordesc<fp16[64,64]>         a tensor descriptor; of machine code `…[64,64],swizzle=128>`, and where the compiler knows
//                                   the tensor `…,swizzle=128,of=1568x768>`
//   fp32[128], *fp32[128]           a block, of a function that is not a kernel
//   blockptr<fp16[64,64]>           a block pointer, of such a function
//
// Requests, results and packages hold signatures as text, since users write them. Whoever asks what
// an entry means parses it here, and whoever makes one prints it here.
#pragma once

#include "compiler/types/ScalarType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// What is known of an argument's value.
enum class SignatureHint : uint8_t {
  None,
  /// `:16`: it is divisible by 16.
  Divisible,
  /// `:1`: it equals 1, so it is a constant of the specialization.
  One,
};

/// One entry of a signature.
struct SignatureType {
  enum class Form : uint8_t { Value, Constexpr, Literal, Tuple, Descriptor, BlockPointer };

  Form form = Form::Value;
  /// Of a value, else what a block, descriptor or block pointer consists of.
  ScalarType scalar;
  /// Of a block, descriptor or block pointer, else empty.
  std::vector<int64_t> shape;
  SignatureHint hint = SignatureHint::None;
  /// Of a descriptor in machine code.
  std::optional<int32_t> swizzleBytes;
  /// Of the tensor that a descriptor in machine code describes, where they are known when it is compiled; else empty.
  std::vector<int64_t> extents;
  /// Of a tuple.
  std::vector<SignatureType> items;
  /// The name of an item of a named tuple; empty for others.
  std::string field;
  /// The text of an item of a tuple that is a constant; empty for others.
  std::string literal;

  SignatureType() = default;
  SignatureType(ScalarType scalar, SignatureHint hint = SignatureHint::None)
      : scalar(scalar), hint(hint) {}
  SignatureType(ScalarKind kind, SignatureHint hint = SignatureHint::None)
      : scalar{kind}, hint(hint) {}

  /// `*fp32:16` for `fp32`: where tensors begin is divisible by 16.
  static SignatureType pointerTo(ScalarKind element) {
    return {ScalarType{element}.pointerTo(), SignatureHint::Divisible};
  }
  static SignatureType block(ScalarType element, std::vector<int64_t> shape,
                             Form form = Form::Value);
  static SignatureType tuple(std::vector<SignatureType> items);
  static SignatureType constexprValue();

  bool isTuple() const { return form == Form::Tuple; }
  bool isConstexpr() const { return form == Form::Constexpr; }
  bool isDescriptor() const { return form == Form::Descriptor; }
  bool isBlockPointer() const { return form == Form::BlockPointer; }
  bool isBlock() const { return form == Form::Value && !shape.empty(); }
  /// A pointer, or a block of pointers.
  bool isPointer() const { return form == Form::Value && scalar.isPointer(); }
  bool isDivisible() const { return hint == SignatureHint::Divisible; }
  bool isOne() const { return hint == SignatureHint::One; }
  bool operator==(const SignatureType &) const = default;
};

/// Reads `*fp32`, `*ki8`, `**i8`, `i32`, `u1`, `bf16`; nothing when the text names no such type.
std::optional<ScalarType> parseScalarType(std::string_view text);
/// Nothing when the text is not an entry of a signature.
std::optional<SignatureType> parseSignatureType(std::string_view text);

/// `*fp32`, `i32`. A condition is `u1`, and `i1` where it is pointed to, as Triton has it.
std::string toSignature(const ScalarType &type);
/// The entry with its hint.
std::string toSignature(const SignatureType &type);

} // namespace tilescope::compiler
