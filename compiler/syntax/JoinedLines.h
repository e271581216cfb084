// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is missing between two parts: a comma, or the end of a line, where two became one:
//
//     s = tl.sum(x) / ny = x * s        s = tl.sum(x) / n
//                                       y = x * s
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

struct SyntaxTree;

/// Parts the lines between `end`, where the first one ends, and `next`, where an assignment begins;
/// `column` is where both begin.
std::vector<DiagnosticFix> partLinesFix(std::string_view source,
                                        const std::vector<uint32_t> &lineOffsets,
                                        const SourceRange &between, uint32_t column);

/// Parts the lines inside the word that ends at `end`, `ny`, if each half stands elsewhere as a word.
/// Empty where that is not so.
std::vector<DiagnosticFix> partWordFix(std::string_view source,
                                       const std::vector<uint32_t> &lineOffsets, Position end,
                                       uint32_t column, uint32_t file);

/// Whether `word` stands anywhere in the text as a word of its own.
bool hasWord(std::string_view source, std::string_view word);

/// Puts the comma that is missing between two elements at the end of the first one.
DiagnosticFix commaFix(const SourceRange &end);

/// Whether a line with a syntax error may have given the name its value: it begins with it, or an
/// `=` stands behind it, as behind the `y` of `ny`.
bool isOfBrokenLine(const SyntaxTree &tree, std::string_view name);

} // namespace tilescope::compiler::ast
