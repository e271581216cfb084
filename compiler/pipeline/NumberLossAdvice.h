// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations of the source whose results their types did not hold in a run, and what would:
//
//     big = o * 3000000                  o.to(tl.int64) * 3000000
//     y = (x * 30000).to(tl.float16)     (x * 30000).to(tl.float32)
//
// A hash wraps around on purpose: whoever tells of them tries the fix first.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/syntax/Ast.h"

#include <vector>

namespace tilescope::compiler {

/// A note for each that the source shows, with a fix where what is meant is known; a few.
std::vector<Diagnostic> numberLosses(const ast::SyntaxTree &tree,
                                     const std::vector<LostNumber> &losses);

} // namespace tilescope::compiler
