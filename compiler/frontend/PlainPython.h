// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Fixes for Python that kernels do not have: the same in statements that they do have.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Of `with` and `try`, which a kernel may as well leave out, the statements that are left; of a set the
/// tuple, and of a dictionary whose keys are names a variable for each value:
///
///     d = {"a": x, "b": y}          d_a = x
///     z = d["a"] + d["b"]           d_b = y
///                                   z = d_a + d_b
///
/// Empty where that is not all that it does, and for every other node.
std::vector<DiagnosticFix> plainFixes(const Emitter &emitter, const Frame &frame,
                                      const ast::Node &node);

} // namespace tilescope::compiler::frontend
