// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/support/Result.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tilescope::app {

/// `file:line:column: severity: message`
std::string diagnosticHeadline(const compiler::Diagnostic &diagnostic,
                               const std::vector<compiler::SourceFile> &files);

/// The headline with the source below it, then the labels, notes and fixes as separate lines.
std::string diagnosticText(const compiler::Diagnostic &diagnostic,
                           const std::vector<compiler::SourceFile> &files);

/// The same for scripts; lines and columns start at 1.
nlohmann::json diagnosticJson(const compiler::Diagnostic &diagnostic,
                              const std::vector<compiler::SourceFile> &files);

/// `file`, `line`, `column`, `end_line` and `end_column` for scripts, from 1.
nlohmann::json rangeJson(const SourceRange &range, const std::vector<compiler::SourceFile> &files);

/// Writes all to standard error.
void printDiagnostics(const std::vector<compiler::Diagnostic> &diagnostics,
                      const std::vector<compiler::SourceFile> &files);

bool hasErrors(const std::vector<compiler::Diagnostic> &diagnostics);

/// Writes an error that concerns no source, and returns the exit status that stands for it. With
/// `asJson` a document says the same to scripts: standard output is never empty for them.
int reportError(const Error &error, bool asJson = false);

/// `{"ok": false, "error": …, "hint": …}`
nlohmann::json errorJson(const Error &error);

/// Writes a document to standard output.
void printJson(const nlohmann::json &document);

} // namespace tilescope::app
