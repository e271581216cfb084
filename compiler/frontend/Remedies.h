// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Quick fixes for errors whose message knows the remedy, as far as the source shows where it goes.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// The source of a range of the function being emitted; empty where the function is not of the
/// user's document.
std::string_view sourceText(const Frame &frame, SourceRange range);

/// Replaces the number `found` by `wanted` where it is written: at `range` itself, or in the launch
/// block's line for the name at `range`. Empty when it is written elsewhere.
std::vector<DiagnosticFix> numberFixes(const Frame &frame, SourceRange range, int64_t found,
                                       int64_t wanted);

/// The key of the launch block's line for `name`, when only one comment of the file is such a line.
std::optional<SourceRange> launchBlockKey(const ast::SyntaxTree &tree, std::string_view name);

/// What that line makes `name`, where it is no table: `16`.
std::optional<SourceRange> launchBlockValue(const ast::SyntaxTree &tree, std::string_view name);

/// Replaces the code from `first` to the end of `last`, in the same document. Empty when their
/// source is not a plain expression on one line.
std::vector<DiagnosticFix> rewriteFix(const Frame &frame, SourceRange first, SourceRange last,
                                      std::string replacement);

/// Whether the file calls the language `tl`, so that a fix may, too.
bool hasLanguageName(const Frame &frame);

/// How to call a function that is used where a value belongs: "`tl.program_id` is a function; call
/// it: `tl.program_id(axis)`". Empty for values that are not functions.
std::string callAdvice(const Value &value);

} // namespace tilescope::compiler::frontend
