// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Builtins that make numbers and calculate with them. Their counts of arguments are checked.
#pragma once

#include "compiler/constant/Value.h"

namespace tilescope::compiler::constant {

ValueOrError callInt(const Value::Items &args, const Keywords &keywords);
ValueOrError callFloat(const Value::Items &args);
ValueOrError callAbs(const Value &value);
ValueOrError callRound(const Value::Items &args, const Keywords &keywords);
ValueOrError callPow(const Value::Items &args);
ValueOrError callDivMod(const Value::Items &args);
/// `bin`, `oct` and `hex`.
ValueOrError callBase(const Value &value, int base, const char *prefix);

} // namespace tilescope::compiler::constant
