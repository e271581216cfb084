// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/DiagnosticCause.h"
#include "compiler/artifacts/DiagnosticKind.h"
#include "compiler/support/SourceRange.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

enum class Severity { Note, Warning, Error };

/// A secondary place that helps to understand a diagnostic: a call that led there, the other
/// operand.
struct DiagnosticLabel {
  SourceRange range;
  std::string message;
  bool operator==(const DiagnosticLabel &) const = default;
};

/// Replaces `range` by `replacement`; offered as a quick fix.
struct DiagnosticFix {
  SourceRange range;
  std::string replacement;
  std::string title;
  bool operator==(const DiagnosticFix &) const = default;
};

/// One finding about the user's input. Wording: lower-case start, no full stop, code in
/// backticks, what was found, then the rule if not obvious.
struct Diagnostic {
  DiagnosticKind kind{};
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::vector<DiagnosticLabel> labels;
  /// Free-standing hints, each a sentence.
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  DiagnosticCause cause = {};
  bool operator==(const Diagnostic &) const = default;
};

} // namespace tilescope::compiler
