// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Warns of `(x > 0) - (x < 0)` and `(x > 0) + (y > 0)`: a sum of truth values has their type, in which
/// 0 - 1 and 1 + 0 are the same, and 1 + 1 is 0.
void warnTruthArithmetic(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                         const Value &right);

} // namespace tilescope::compiler::frontend
