// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <string>

namespace tilescope::compiler {

/// The innermost loop around an access whose counter is in its address: "`for k in range(0, n + B, B)` in line 12". Empty:
/// there is none.
std::string loopBehind(const ast::SyntaxTree &tree, const ast::Node &function,
                       const ast::Call &access);

} // namespace tilescope::compiler
