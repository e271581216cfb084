// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions and calls as the text of a source shows them: shared by completion, signature help and
// hovering.
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

/// Whether a byte can be part of a name.
bool isWordByte(char c);

/// `kernel(a_ptr, n, BLOCK: tl.constexpr = 64)`, annotations and defaults as in the source.
std::string signatureOf(const SyntaxTree &tree, const JitFunction &function);
std::string signatureOf(const SyntaxTree &tree, const FunctionDef &def);

/// The string that the body begins with; empty when there is none.
std::string docstringOf(const FunctionDef &def);

/// `mask` of `mask=None`, `args` of `*args`.
std::string_view parameterName(std::string_view parameter);

/// The expression that ends at `end` in front of a dot or bracket: names, dots and balanced
/// brackets.
std::string_view expressionBefore(std::string_view source, size_t end);

} // namespace tilescope::compiler::ast
