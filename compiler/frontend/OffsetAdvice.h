// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// An offset that is a real number because it was divided by `/` is an error of that division:
///
///     i = tl.arange(0, 64) / 2
///     tl.load(x_ptr + i)            the error is at the division, whose operator should be `//`
void checkOffset(Emitter &emitter, const ast::BinOp &sum, const Value &left, const Value &right);

/// Makes an integer of any other real number that is an offset: `x_ptr + v.to(tl.int32)`.
void explainOffset(Diagnostic &diagnostic, Emitter &emitter, const ast::BinOp &sum,
                   const Value &left, const Value &right);

} // namespace tilescope::compiler::frontend
