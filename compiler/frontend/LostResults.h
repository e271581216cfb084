// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Results that are given to the name of an array, as NumPy's arrays take them. In a kernel the name
// is an address, and what it points to stays as it is:
//
//     out_ptr = x * 2               tl.store(out_ptr + i, x * 2)
//     out_ptr += tl.sum(x)          tl.atomic_add(out_ptr, tl.sum(x))
//     tl.maximum(x, 0)              x = tl.maximum(x, 0)
//     out_ptr += block * stride     moves the address: right where something is read or written there
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Warns where `statement` gives an array's name the value of a result, and nothing uses that.
void warnLostResult(Emitter &emitter, const ast::Assign &statement, const Value &value);

/// Warns of a statement that is a call which only computes, `tl.maximum(v, 0)`: its result is lost.
void warnUnusedCall(Emitter &emitter, const ast::Expr &statement, const Value &result);

/// For `left op= right`. Fails where an address is changed by data; warns where it is moved, and
/// nothing is read or written there.
void checkLostUpdate(Emitter &emitter, const ast::AugAssign &statement, const Value &left,
                     const Value &right);

} // namespace tilescope::compiler::frontend
