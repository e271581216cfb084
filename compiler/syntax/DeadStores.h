// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stores that no program comes to:
//
//     return
//     tl.store(y_ptr + i, x)
#pragma once

#include "compiler/syntax/Ast.h"

#include <optional>

namespace tilescope::compiler::ast {

struct DeadStore {
  SourceRange store;
  /// The `return` in front of it.
  SourceRange end;
};

/// The first store, or atomic operation, behind a `return` of the function's own body; nothing: there is none.
std::optional<DeadStore> storeBehindReturn(const FunctionDef &function);

} // namespace tilescope::compiler::ast
