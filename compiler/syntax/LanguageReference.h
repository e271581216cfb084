// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The kernel language as data: what completion offers, signature help shows and hovering explains.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

enum class ReferenceKind {
  /// `tl.load`
  Function,
  /// `x.sum()` of a tensor, a dtype, a descriptor
  Method,
  /// `x.shape`
  Property,
  /// `tl.float16`
  DType,
  /// `tl.constexpr`
  Type,
  /// `tl.math`
  Module,
  /// `@triton.jit`
  Decorator,
};

/// What guesses and completion ask of a function. Core.def says what they mean.
namespace language_trait {
inline constexpr unsigned Elementwise = 1, AlongAxis = 2, Elementary = 4;
} // namespace language_trait

struct ReferenceEntry {
  /// Full path: `triton.language.load`, `triton.jit`, `triton.language.extra.libdevice.tanh`; of
  /// members of values `tensor.sum`, `dtype.is_floating`, `descriptor.load`.
  std::string path;
  ReferenceKind kind = ReferenceKind::Function;
  /// As a user writes it: `tl.load(pointer, mask=None, other=None, …)`.
  std::string signature;
  /// One paragraph.
  std::string doc;
  unsigned traits = 0;

  /// The last part of the path.
  std::string_view name() const;
  /// The parameters in the signature's parentheses, e.g. `mask=None`.
  std::vector<std::string> parameters() const;
};

/// All entries, sorted by path.
std::span<const ReferenceEntry> languageReference();

/// The entry of a path, or null. Knows the other spellings of a path (`triton.language.math.exp` is
/// `triton.language.exp`, `triton.language.extra.cuda.libdevice.tanh` …).
const ReferenceEntry *findReference(std::string_view path);

/// Whether `tl.name` is a function with this trait.
bool hasLanguageTrait(std::string_view name, unsigned trait);

/// The members of a module or of a kind of value (`tensor`, `dtype`, `descriptor`), sorted by name.
std::vector<const ReferenceEntry *> referenceMembers(std::string_view parentPath);

} // namespace tilescope::compiler::ast
