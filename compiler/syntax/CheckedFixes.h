// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A quick fix is offered only if Python reads what it makes as it was meant:
//
//   w / np.square(v)     `v * v` in place of the call is `w / v * v`, which is `w`:
//                        the fix writes `(v * v)`
//   v.store(out + i)     `out + i, v.store(out + i))` is not Python: there is no fix
//
// Both are decided from the text with the fix applied, wherever the fix comes from.
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <vector>

namespace tilescope::compiler::ast {

/// Takes out the fixes of the document `text` (file 0) after which it does not parse: it has a
/// syntax error where it had none, or more of them and none later. Writes a replacement in
/// parentheses where an operator beside it would take it apart. Diagnostics without fixes cost
/// nothing; each fix costs a parse.
void checkFixes(const std::string &text, std::vector<Diagnostic> &diagnostics);

} // namespace tilescope::compiler::ast
