// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Quotients and remainders of numbers that are negative for some elements. A kernel rounds the quotient toward zero, as C
// does, so that the remainder has the sign of what is divided; Python's is never negative here:
//
//     x_ptr + (i - 1) % n          i = 0: x_ptr - 1, where Python's index is n - 1
//     x_ptr + (i - 1 + n) % n      i = 0: x_ptr + n - 1
#pragma once

#include "compiler/frontend/Builtins.h"

#include <optional>

namespace tilescope::compiler::frontend {

/// Warns of a remainder in the address of an access that begins below zero; not where the access may leave those elements
/// out.
void warnNegativeAddress(BuiltinCall &access, const Tensor &pointer,
                         const std::optional<Tensor> &mask);

/// Tells how such a quotient or remainder is rounded where it is what a store writes.
void noteRoundedValue(BuiltinCall &store, const Tensor &value, const std::optional<Tensor> &mask);

} // namespace tilescope::compiler::frontend
