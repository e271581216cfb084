// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is written into calls of loads, stores and atomics.
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>

namespace tilescope::compiler {

/// A positional or named argument; null when the call has none.
const ast::Expr *argument(const ast::Call &call, size_t position, std::string_view name);

/// The mask of a load, store or atomic; null: it has none.
const ast::Expr *maskOf(const ast::Call &access);

/// How many axes the array has to which an access goes by a block pointer; 0: it goes by addresses, or the
/// source does not show it.
size_t numBlockAxes(const ast::Node &function, const ast::Call &access);

/// The code that a name was given last in front of a place; null: none.
const ast::Expr *lastValue(const ast::Node &function, std::string_view name, Position before);

} // namespace tilescope::compiler
