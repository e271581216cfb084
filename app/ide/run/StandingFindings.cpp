// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/StandingFindings.h"

#include "views/editor/TextChange.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticFix;
using views::TextChange;

StandingFindings::StandingFindings(std::string text, std::vector<Diagnostic> findings)
    : m_runText(text), m_runFindings(findings), m_text(std::move(text)),
      m_findings(std::move(findings)) {}

static size_t offsetOf(const std::string &text, Position position) {
  size_t offset = 0;
  for (uint32_t line = 0; line < position.line; ++line) {
    const size_t feed = text.find('\n', offset);
    if (feed == std::string::npos)
      return text.size();
    offset = feed + 1;
  }
  return std::min(offset + position.column, text.size());
}

bool StandingFindings::takesFix(const DiagnosticFix &fix, const std::string &text) {
  const size_t begin = offsetOf(m_text, fix.range.begin), end = offsetOf(m_text, fix.range.end);
  std::string fixed = m_text;
  if (fix.range.file != 0 || end < begin ||
      fixed.replace(begin, end - begin, fix.replacement) != text)
    return false;
  const std::string removed = m_text.substr(begin, end - begin);
  const DiagnosticFix taken = fix;
  std::erase_if(m_findings, [&](const Diagnostic &finding) {
    return std::ranges::find(finding.fixes, taken) != finding.fixes.end();
  });
  if (!removed.empty())
    views::moveDiagnostics(m_findings, TextChange::deletion(taken.range.begin, removed));
  views::moveDiagnostics(m_findings, TextChange::insertion(taken.range.begin, taken.replacement));
  m_text = text;
  return true;
}

void StandingFindings::follow(const std::string &text) {
  if (text == m_text)
    return;
  if (text == m_runText) {
    m_text = m_runText;
    m_findings = m_runFindings;
    return;
  }
  for (const Diagnostic &finding : m_findings)
    for (const DiagnosticFix &fix : finding.fixes)
      if (takesFix(fix, text))
        return;
}

} // namespace tilescope::app
