// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string_view>

namespace tilescope::compiler {

/// Whether a function takes a name for a number of elements: it compares with it, counts blocks by it, wraps around at
/// it or loops to it. A stride, which only multiplies, is none.
bool isCount(const ast::Node &function, std::string_view name);

} // namespace tilescope::compiler
