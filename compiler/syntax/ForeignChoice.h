// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The choice of C, and the one that is meant:
//
//     y = x > 0 ? x : 0.0         y = tl.where(x > 0, x, 0.0)
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

struct ForeignChoice {
  /// From the condition to the second value, in the line.
  size_t begin = 0, end = 0;
  std::string meant;
};

/// `question`: where the `?` is in the line. Nothing where it is not all that is assigned, or one of several.
std::optional<ForeignChoice> foreignChoice(std::string_view line, size_t question);

/// Of the character `?` in a line, what is meant.
void explainChoice(std::string_view line, Diagnostic &diagnostic);

} // namespace tilescope::compiler::ast
