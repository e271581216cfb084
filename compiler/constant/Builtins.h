// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Value.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::constant {

/// The builtin of that name (`len`, `range`, `int`, …) when this library has it.
std::optional<Value> findBuiltin(std::string_view name);

/// Calls a value of kind Builtin. `range` returns a list of ints.
ValueOrError callBuiltin(std::string_view name, const Value::Items &args, const Keywords &keywords);

/// `value.name` for attributes that are not methods: those of dtypes, `real`/`imag` of numbers.
ValueOrError getAttribute(const Value &value, std::string_view name);

/// `value.name(...)` for methods of str, int, float, tuple, list, dict and dtypes.
ValueOrError callMethod(const Value &value, std::string_view name, const Value::Items &args,
                        const Keywords &keywords);
/// Whether `callMethod` knows the method.
bool hasMethod(const Value &value, std::string_view name);

/// `math.name`: constants and functions.
std::optional<Value> mathConstant(std::string_view name);
bool isMathFunction(std::string_view name);
ValueOrError callMath(std::string_view name, const Value::Items &args);

} // namespace tilescope::compiler::constant
