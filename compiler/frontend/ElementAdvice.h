// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Single elements of a block, which a kernel does not have. What a loop over them computes:
//
//     for k in range(BLOCK):                s += tl.sum(a, axis=0)
//         s += a[k]
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// Whether an index is a condition of elements, such as `i < n`.
bool isElementCondition(const Frame &frame, const ast::Expr &part);

/// Fails for the part of an index that would pick elements of a block.
[[noreturn]] void failElement(Emitter &emitter, const ast::Expr &part);

/// Fails for an index of a number. Where the launch block makes a parameter one, it says so, and offers an array.
[[noreturn]] void failNumber(Emitter &emitter, const Tensor &number);

/// What a loop over the elements of a block computes at once.
struct LoopAdvice {
  std::string note;
  std::vector<DiagnosticFix> fixes;
};

/// Of the loop that sums up `element`, or looks for the largest or smallest, of the block `block`;
/// nothing for loops that do something else.
std::optional<LoopAdvice> reductionInstead(const Emitter &emitter, const Frame &frame,
                                           const ast::For &loop, const ast::Expr &element,
                                           std::string_view block);

} // namespace tilescope::compiler::frontend
