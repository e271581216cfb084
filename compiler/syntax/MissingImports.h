// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names that kernel files import by habit, and what is wrong when the import is missing:
//
//     @triton.jit            `triton` is not imported
//     def kernel(x_ptr):     fix: add `import triton` and `import triton.language as tl`
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::ast {

/// Inserts the import that usually binds `name`: `tl`, `triton`, `math`, `torch`, `libdevice`. Nothing for
/// other names.
std::optional<DiagnosticFix> importFix(const SyntaxTree &tree, std::string_view name);

/// To errors that say how the language does it, while nothing binds `tl`, adds the import: what they
/// say cannot be followed without it.
void offerLanguageImport(const SyntaxTree &tree, std::vector<Diagnostic> &diagnostics);

/// The error of a file whose functions are decorated with `@triton.jit` while nothing binds
/// `triton`; nothing for all other files.
std::optional<Diagnostic> missingTritonImport(const SyntaxTree &tree, const ModuleIndex &index);

} // namespace tilescope::compiler::ast
