// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler::ast {

/// Collects the diagnostics of lexer and parser, up to a limit.
class DiagnosticSink {
public:
  explicit DiagnosticSink(int maxErrors) : m_maxErrors(maxErrors) {}

  void add(Diagnostic diagnostic) {
    if (diagnostic.severity == Severity::Error && ++m_numErrors > m_maxErrors)
      return;
    m_diagnostics.push_back(std::move(diagnostic));
  }
  void error(DiagnosticKind kind, SourceRange range, std::string message) {
    add({kind, Severity::Error, range, std::move(message), {}, {}, {}});
  }
  void warning(DiagnosticKind kind, SourceRange range, std::string message) {
    add({kind, Severity::Warning, range, std::move(message), {}, {}, {}});
  }

  /// Whether one of the latest errors is on that line, so that another would only repeat it.
  bool hasErrorOnLine(uint32_t line) const {
    static constexpr size_t kNumLatest = 4;
    size_t first = m_diagnostics.size() > kNumLatest ? m_diagnostics.size() - kNumLatest : 0;
    for (size_t i = first; i < m_diagnostics.size(); ++i)
      if (m_diagnostics[i].severity == Severity::Error &&
          m_diagnostics[i].range.begin.line <= line && line <= m_diagnostics[i].range.end.line)
        return true;
    return false;
  }
  /// Forgets what was found.
  void clear() {
    m_diagnostics.clear();
    m_numErrors = 0;
  }
  std::vector<Diagnostic> take() { return std::move(m_diagnostics); }

private:
  std::vector<Diagnostic> m_diagnostics;
  int m_maxErrors;
  int m_numErrors = 0;
};

} // namespace tilescope::compiler::ast
