// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel that stores what it computes of arguments named like arrays, and loads nothing:
//
//     tl.store(out + i, x + y, mask=i < n)
//                       tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)
//
// Without a load they are numbers, and every element gets the same value.
#pragma once

#include "compiler/frontend/Builtins.h"

namespace tilescope::compiler::frontend {

/// Warns where `tl.store` of one number to a block of addresses, the call, shows such arguments.
void warnForgottenLoad(BuiltinCall &store, const Tensor &pointer, const Tensor &value);

/// Fails for an operation on two arrays, `out = x + y`, where the function shows at which offsets their
/// elements are loaded and stored.
void checkArrays(Emitter &emitter, const ast::BinOp &expr);

/// Fails for a sum or a product of two blocks of addresses: what lies there was meant.
void checkAddresses(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                    const Value &right);

} // namespace tilescope::compiler::frontend
