// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The type of a parameter that nothing states, from what the body does with it and from its name.
#pragma once

#include "compiler/inference/ParameterUses.h"
#include "compiler/inference/SignatureInference.h"
#include "compiler/types/SignatureType.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilescope::compiler::inference {

/// A guessed type and why.
struct TypeGuess {
  SignatureType type;
  std::string reason;
};

/// One parameter and what is known of it.
struct KnownParameter {
  const ast::ModuleIndex &index;
  const ast::JitFunction &kernel;
  const ast::ParameterInfo &parameter;
  const ParameterUse &use;
  /// Null where the parameter has none, or one that cannot be worked out.
  const ast::Expr *defaultValue;
  const InferenceStyle &style;
};

/// Of blocks whose extents are unknown.
inline constexpr int64_t kGuessedExtent = 64;

/// The element type that the kernel casts what it stores to; nothing when it does not say.
std::optional<ScalarKind> storedElement(const ParameterUse &use);

/// Nothing where even the default cannot be worked out.
std::optional<TypeGuess> guessType(const KnownParameter &known);

} // namespace tilescope::compiler::inference
