// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <optional>

namespace tilescope::compiler::ast {

/// The error of `BLOCK: tl.constexp`, which would otherwise be taken for a run-time value, and of
/// `BLOCK: constexpr` where nothing binds that name; nothing for all other annotations.
std::optional<Diagnostic> misspelledConstexpr(const SyntaxTree &tree, const ModuleIndex &index,
                                              const ParameterInfo &parameter);

/// The warning of `x: torch.Tensor` where nothing binds `torch`: the kernel compiles here, and the
/// file cannot be imported.
std::optional<Diagnostic> unboundAnnotation(const SyntaxTree &tree, const ParameterInfo &parameter);

} // namespace tilescope::compiler::ast
