// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where a kernel means to store what it returns:
//
//     def double(x, out, n, BLOCK: tl.constexpr):
//         i = tl.arange(0, BLOCK)
//         v = tl.load(x + i, mask=i < n)
//         return v * 2                        `tl.store(out + i, v * 2, mask=i < n)`
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <optional>

namespace tilescope::compiler::ast {

/// Stores the returned value in the only argument that has no other use, at the places that were
/// loaded. Nothing where that argument or these places are not certain.
std::optional<DiagnosticFix> storeOfReturned(const SyntaxTree &tree, const ModuleIndex &index,
                                             const JitFunction &function);

/// The same in an argument that is added, `out_ptr`, where all others have a use. A function that loads nothing
/// computes a number, which lies at its beginning.
std::optional<DiagnosticFix> storeInNewArgument(const SyntaxTree &tree, const ModuleIndex &index,
                                                const JitFunction &function);

} // namespace tilescope::compiler::ast
