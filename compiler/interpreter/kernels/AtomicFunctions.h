// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/kernels/Elementwise.h"

namespace tilescope::compiler::interpreter {

/// The operations of tt.atomic_rmw, numbered as its attribute is.
enum class AtomicKind { And = 1, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Exchange };

/// What `tt.atomic_rmw` makes of the value in memory (operand 0) and its own operand (operand 1): the row of the tables
/// for the operation that the kind names, such as `arith.maxnumf` for `max` of floats, or operand 1 for `exch`. Null: TTIR
/// has no such operation on these elements.
ElementwiseFunction findAtomic(AtomicKind kind, Element element);

} // namespace tilescope::compiler::interpreter
