// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/IndexRange.h"
#include "compiler/pipeline/UndefinedLoads.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

struct MaskAdvice {
  /// The end of a sentence; empty when the source does not show it.
  std::string text;
  /// Writes the argument into the call.
  std::vector<DiagnosticFix> fixes;
  std::vector<DiagnosticLabel> labels;
  std::vector<std::string> notes = {};
};

/// What keeps an access inside its argument: "add `mask=offs < n`" for `tl.load(x_ptr + offs)`;
/// for an access to a matrix, a bound of each index.
MaskAdvice maskAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                      const KernelSizes &sizes);

/// A mask that is added to a load comes with its `other`, which is empty where none is needed.
void addOther(MaskAdvice &advice, const std::string &other);

/// What keeps values of masked-off lanes out of what uses them: "give the load `other=0.0`"; where
/// they become the place of a store or of an update, the mask of the load. `tree` is null where the
/// source is IR.
MaskAdvice otherAdvice(const ast::SyntaxTree *tree, const InterpreterFinding &finding,
                       const std::vector<UndefinedLoad> &loads);

/// For each `other` that takes part in a reduction, in its place the code that does not.
std::vector<DiagnosticFix> fillerFixes(const ast::SyntaxTree &tree,
                                       const std::vector<CountedFiller> &loads);

/// For a place that makes something else of the `other` of a load, `tl.where(mask, …, 0.0)` around it; its
/// title says why. Nothing when the source does not show the mask.
std::optional<DiagnosticFix> lostFix(const ast::SyntaxTree &tree, const LostFiller &lost);
std::vector<DiagnosticFix> lostFixes(const ast::SyntaxTree &tree,
                                     const std::vector<LostFiller> &places);

} // namespace tilescope::compiler
