// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lines behind a kernel, or in front of it, that were meant to be in it:
//
//     @triton.jit
//     def kernel(x_ptr):
//         x = tl.load(x_ptr)
//     y = x * 2                  `x` is defined in `kernel` only
//     tl.store(x_ptr, y)         and so is, then, `y`
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <vector>

namespace tilescope::compiler::ast {

/// A warning for each of these lines in front of a kernel, and one for all that are behind one, with
/// the fix that indents them.
std::vector<Diagnostic> dedentedLines(const SyntaxTree &tree, const ModuleIndex &index);

} // namespace tilescope::compiler::ast
