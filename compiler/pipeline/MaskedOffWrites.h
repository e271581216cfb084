// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/IndexRange.h"

#include <optional>

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

/// Says of an access that its mask was false for every element of every program: at its place, with the
/// mask and the launch's numbers in it. `tree` is null where the source is IR. Nothing for a load whose mask the
/// source does not show: the compiler wrote it.
std::optional<Diagnostic> maskedOffDiagnostic(const ast::SyntaxTree *tree,
                                              const MaskedOffAccess &access,
                                              const KernelSizes &sizes);

} // namespace tilescope::compiler
