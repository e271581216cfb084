// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/UndefinedLoads.h"

#include <map>
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
};

/// What keeps an access inside its argument: "add `mask=offs < n`" for `tl.load(x_ptr + offs)`;
/// `sizes` are the kernel's integer arguments by name.
MaskAdvice maskAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                      const std::map<std::string, int64_t> &sizes);

/// What keeps values of masked-off lanes out of what uses them: "give the load `other=0.0`". `tree`
/// is null where the source is IR.
MaskAdvice otherAdvice(const ast::SyntaxTree *tree, const InterpreterFinding &finding,
                       const std::vector<UndefinedLoad> &loads);

} // namespace tilescope::compiler
