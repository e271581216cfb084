// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// What a run has found in a text. Most edits leave nothing of it certain; the fix of one finding
/// leaves the others, which move along.
class StandingFindings {
public:
  StandingFindings() = default;
  StandingFindings(std::string text, std::vector<compiler::Diagnostic> findings);

  /// The text is now another: that which was run, or the one before with one fix applied.
  void follow(const std::string &text);
  /// Whether they are about this text.
  bool standFor(const std::string &text) const { return text == m_text; }
  const std::vector<compiler::Diagnostic> &all() const { return m_findings; }

private:
  bool takesFix(const compiler::DiagnosticFix &fix, const std::string &text);

  std::string m_runText;
  std::vector<compiler::Diagnostic> m_runFindings;
  std::string m_text;
  std::vector<compiler::Diagnostic> m_findings;
};

} // namespace tilescope::app
