// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::compiler {

/// The scalar types of the kernel language; ScalarTypes.def lists them.
enum class ScalarKind : uint8_t {
#define TILESCOPE_SCALAR(id, ...) id,
#include "compiler/types/ScalarTypes.def"
#undef TILESCOPE_SCALAR
};

enum class ScalarClass : uint8_t { Void, Bool, Signed, Unsigned, Floating };

/// A row of ScalarTypes.def.
struct ScalarInfo {
  ScalarKind kind{};
  /// In `triton.language`: `float16`, `int8`.
  std::string_view languageName;
  /// As messages and mangled names say it: `fp16`, `int8`.
  std::string_view name;
  /// In signatures, launch blocks and files: `fp16`, `i8`.
  std::string_view signatureName;
  ScalarClass category{};
  int bits = 0;
  /// Of floating types: the width of the stored mantissa, and the exponent's bias.
  int mantissaBits = 0;
  int exponentBias = 0;
};

/// All of them, `void` first.
inline constexpr auto kScalars = std::to_array<ScalarInfo>({
#define TILESCOPE_SCALAR(id, language, message, signature, category, bits, mantissa, bias)         \
  {ScalarKind::id, language, message, signature, ScalarClass::category, bits, mantissa, bias},
#include "compiler/types/ScalarTypes.def"
#undef TILESCOPE_SCALAR
});

constexpr const ScalarInfo &scalarInfo(ScalarKind kind) {
  return kScalars[static_cast<size_t>(kind)];
}

/// Reads a name of signatures: `fp16`, `i8`; also `u1` and `B` for `i1`.
std::optional<ScalarKind> scalarFromSignature(std::string_view name);
/// Reads a name of `triton.language`: `float16`, `int8`.
std::optional<ScalarKind> scalarFromLanguageName(std::string_view name);

} // namespace tilescope::compiler
