// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Frame.h"
#include "compiler/syntax/Ast.h"

#include <functional>
#include <string_view>

namespace tilescope::compiler::frontend {

/// Visits each statement `name = …` of the function, in the order of the text.
void forEachAssignment(const Frame &frame, std::string_view name,
                       const std::function<void(const ast::Assign &)> &visit);

/// The last statement of the function that gives a name its value before `use`: `x = …`. Null for
/// parameters, counters of loops and names that are unpacked into.
const ast::Assign *lastAssignment(const Frame &frame, const ast::Name &use);

} // namespace tilescope::compiler::frontend
