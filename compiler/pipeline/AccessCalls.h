// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls of loads, stores and atomics in a syntax tree, and what is written into them.
#pragma once

#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/syntax/AccessArguments.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// The call of a load, store or atomic that a range is. Null: there is none.
const ast::Call *findAccess(const ast::SyntaxTree &tree, const SourceRange &range);

/// The function that an access is in; the whole file outside of any.
const ast::Node &functionAround(const ast::SyntaxTree &tree, const SourceRange &access);

/// Where the function around an access gives a name a value, in the order of the source; empty for a mask
/// that is not a name.
std::vector<const ast::Assign *> assignmentsOf(const ast::SyntaxTree &tree, const ast::Call &access,
                                               const ast::Expr &mask);

/// The mask of a load, as code that means the same at another place; empty: it has none, or what it is made of changes in
/// between.
std::string maskCodeAt(const ast::SyntaxTree &tree, const ast::Call &load,
                       const SourceRange &place);

/// Writes `argument`, which has its name, behind the last one of the call.
DiagnosticFix addArgument(const ast::Call &access, const std::string &argument);
MaskAdvice addMask(const ast::Call &access, const std::string &mask);

} // namespace tilescope::compiler
