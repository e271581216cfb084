// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operands that an operator does not take as they are meant: powers, and offsets with a fraction.
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Fails for `pointer + n / 2`, where a quotient of `/` is a float, and for `x ** 2`.
void checkOperands(Emitter &emitter, const ast::BinOp &expr, const Value &left, const Value &right);
/// Fails for `x ^= 2` of a real number.
void checkUpdate(Emitter &emitter, const ast::AugAssign &statement, const Value &left);

} // namespace tilescope::compiler::frontend
