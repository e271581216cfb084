// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lines behind a kernel, or in front of it, that were meant to be in it:
//
//     @triton.jit
//     def kernel(x_ptr):
//         x = tl.load(x_ptr)
//     tl.store(x_ptr, x * 2)     `x_ptr` is defined in `kernel` only
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <vector>

namespace tilescope::compiler::ast {

/// A warning for each of these lines, with the fix that indents it where it is behind the kernel.
std::vector<Diagnostic> dedentedLines(const SyntaxTree &tree, const ModuleIndex &index);

} // namespace tilescope::compiler::ast
