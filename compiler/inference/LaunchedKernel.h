// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/ParameterUses.h"
#include "compiler/syntax/ModuleIndex.h"

#include <string_view>

namespace tilescope::compiler::inference {

/// Whether a function is surely launched itself, so that it gets arrays and numbers, and no blocks:
/// it asks for the number of its program, or is the only function of its file and returns nothing. A
/// function that kernels of other files call is rarely such.
bool isSurelyLaunched(const ast::ModuleIndex &index, const ast::JitFunction &function);

/// Whether a parameter that is a whole mask, `mask=n`, is a number where a launch passes it: a guess
/// must not make a truth value of it.
bool isNumberAsMask(const ast::ModuleIndex &index, const ast::JitFunction &function,
                    std::string_view parameter, const ParameterUse &use);

/// What a function does with a parameter, as far as a launch can pass it: of what no launch passes, a
/// block or a tuple of one item, the function means an array.
ParameterUse launchedUse(const ast::ModuleIndex &index, const ast::JitFunction &function,
                         std::string_view parameter, ParameterUse use);

} // namespace tilescope::compiler::inference
