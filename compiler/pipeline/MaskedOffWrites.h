// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/IndexRange.h"

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

/// Says of a store or an atomic operation that its mask was false for every element of every program: at
/// its place, with the mask and the launch's numbers in it. `tree` is null where the source is IR.
Diagnostic maskedOffDiagnostic(const ast::SyntaxTree *tree, const MaskedOffWrite &write,
                               const KernelSizes &sizes);

} // namespace tilescope::compiler
