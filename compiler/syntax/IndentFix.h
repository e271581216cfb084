// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
//     def f(x):
//     y = x          both lines begin where `def` does: they are indented by 4 columns
//     return y
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Where the lines of a block are not indented.
struct MissingBlock {
  /// Of the first one.
  uint32_t line = 0;
  /// Where the statement begins that the block belongs to.
  uint32_t ownerColumn = 0;
  /// It is the body of a function or class.
  bool isDefinition = false;
  /// Of the fix's range.
  uint32_t file = 0;
};

/// Indents the lines that should be a block, up to a blank line or the beginning of something else:
/// to where the following lines are, else by 4 columns; of several lines, as another choice, the
/// first alone. Empty where no code is that could be meant.
std::vector<DiagnosticFix> indentFix(std::string_view source,
                                     const std::vector<uint32_t> &lineOffsets,
                                     const MissingBlock &block);

/// Takes the line of `blank`, its indentation, and those after it that are indented as far back to
/// `column`. Empty where tabs or strings of several lines decide what that does.
std::vector<DiagnosticFix> unindentFix(std::string_view source,
                                       const std::vector<uint32_t> &lineOffsets,
                                       const SourceRange &blank, uint32_t column);

/// What could be meant with `blank`, an unexpected indentation behind lines at `column`, likeliest
/// first: the lines right above it stand out between lines of one block, and move as far right as
/// that, or it and what follows stand wrong (`unindentFix`). The fewer lines, the likelier; but lines
/// within a function are its own.
std::vector<DiagnosticFix> unexpectedIndentFixes(std::string_view source,
                                                 const std::vector<uint32_t> &lineOffsets,
                                                 const SourceRange &blank, uint32_t column);

/// Takes `else` or `elif` at `clause`, which stands in the body that it follows, and its own body
/// back to the `if` or loop above.
std::vector<DiagnosticFix> unindentClauseFix(std::string_view source,
                                             const std::vector<uint32_t> &lineOffsets,
                                             const SourceRange &clause);

} // namespace tilescope::compiler::ast
