// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::ast {

/// A statement that gives a name its value.
struct NameBinding {
  SourceRange range;
  const Expr *value = nullptr;
  /// Of `name += value`.
  std::optional<BinaryOpKind> op = std::nullopt;
};

/// The last one above `before`; nothing: there is none.
std::optional<NameBinding> lastBinding(const SyntaxTree &tree, std::string_view id,
                                       const SourceRange &before);

/// Whether each name in an expression has at `after` what it had at `before`, which is further up: nothing between
/// them gives it another value.
bool isUnchanged(const SyntaxTree &tree, const Expr &expr, const SourceRange &before,
                 const SourceRange &after);

} // namespace tilescope::compiler::ast
