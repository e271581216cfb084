// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Interpretation.h"

#include <map>
#include <string>

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

/// What keeps an access inside its argument, as the end of a sentence: "add `mask=offs < n`" for
/// `tl.load(x_ptr + offs)`; `sizes` are the kernel's integer arguments by name. Empty when the
/// source does not tell.
std::string maskAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                       const std::map<std::string, int64_t> &sizes);

} // namespace tilescope::compiler
