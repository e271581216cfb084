// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements that are a comparison or a calculation, whose result nothing takes:
//
//     y == x * 2                y = x * 2
//     x + 1
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Fails for a statement `name == value` whose name is defined nowhere: `=` was meant.
void checkMeantAssignment(Emitter &emitter, const ast::Expr &statement);

/// Warns of a statement that is a comparison or a calculation with an operator.
void warnUnusedValue(Emitter &emitter, const ast::Expr &statement);

} // namespace tilescope::compiler::frontend
