// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Branches that are to be taken element by element. What does that:
//
//     if offsets < n:                       x = tl.load(x_ptr + offsets, mask=offsets < n)
//         x = tl.load(x_ptr + offsets)      tl.store(out + offsets, x, mask=offsets < n)
//         tl.store(out + offsets, x)
//
//     if x > 0:                             y = tl.where(x > 0, x, 0)
//         y = x
//     else:
//         y = 0
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// The text of a condition as one of elements: `(n > 3) & (a > 2)` of `n > 3 and a > 2`. Empty where it
/// is not on one line.
std::string elementwiseCondition(const Emitter &emitter, const Frame &frame, SourceRange range);

/// Warns of `and` or `or` between blocks. The fix writes it, and what it is made of, for elements.
void warnLogical(Emitter &emitter, const ast::BoolOp &expr);

/// Fixes for a condition that is a block. Empty where the branches do more than load, store and
/// compute, or where the source does not show what was meant.
std::vector<DiagnosticFix> elementwiseFix(const Emitter &emitter, const Frame &frame,
                                          const ast::If &branch);
std::vector<DiagnosticFix> elementwiseFix(const Emitter &emitter, const Frame &frame,
                                          const ast::IfExp &choice);

} // namespace tilescope::compiler::frontend
