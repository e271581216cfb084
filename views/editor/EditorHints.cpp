// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The KernelEditor's hints on what costs more than it needs to: marks beside the lines, and words.
#include "views/common/Theme.h"
#include "views/editor/Decorations.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"

#include <set>

namespace tilescope::views {

using compiler::Hint;

void KernelEditor::setPerformanceHints(std::vector<Hint> hints) {
  std::erase_if(hints, [](const Hint &hint) { return hint.range.file != 0 || hint.range.empty(); });
  m_numChangesAtHints = m_numChanges;
  if (hints == m_performanceHints)
    return;
  m_performanceHints = std::move(hints);
  markPerformanceHints();
}

void KernelEditor::markPerformanceHints() {
  std::set<int> lines, fixable;
  for (const Hint &hint : m_performanceHints) {
    const bool hasFix = fixPlaceOn(hint.range.begin.line).has_value();
    (hasFix ? fixable : lines).insert(static_cast<int>(hint.range.begin.line));
  }
  // One icon for a line.
  for (const compiler::Diagnostic &diagnostic : m_shown)
    if (diagnostic.severity != compiler::Severity::Note)
      for (std::set<int> *marked : {&lines, &fixable})
        marked->erase(static_cast<int>(diagnostic.range.begin.line));
  setMarker(*this, kHintMarker, lines);
  setMarker(*this, kHintFixMarker, fixable);
}

std::vector<Hint> KernelEditor::performanceHintsOn(uint32_t line) const {
  std::vector<Hint> found = m_performanceHints;
  std::erase_if(found, [line](const Hint &hint) { return hint.range.begin.line != line; });
  return found;
}

QString KernelEditor::performanceHintsText(const std::vector<Hint> &hints) const {
  QStringList parts;
  for (const Hint &hint : hints) {
    QString text = colored(QString::fromStdString(hint.message), ColorRole::Accent);
    for (const std::string &evidence : hint.evidence)
      text +=
          QStringLiteral("<br>") + colored(QString::fromStdString(evidence), ColorRole::TextMuted);
    text += QStringLiteral("<br>") +
            colored(tr("Gain: %1").arg(QString::fromStdString(hint.gain)), ColorRole::TextMuted);
    text += QStringLiteral("<br>") +
            colored(tr("Try: %1").arg(QString::fromStdString(hint.advice)), ColorRole::Text);
    for (const compiler::HintFix &fix : hint.fixes)
      text += QStringLiteral("<br>") +
              colored(tr("Ctrl+. shows a fix, Ctrl+Shift+. applies it: %1 (%2)")
                          .arg(QString::fromStdString(fix.edit.title),
                               QString::fromStdString(fix.outcome)),
                      ColorRole::Info);
    if (!hint.whyNoFix.empty())
      text += QStringLiteral("<br>") +
              colored(tr("No fix is offered: %1").arg(QString::fromStdString(hint.whyNoFix)),
                      ColorRole::TextMuted);
    parts << text;
  }
  return parts.join(QStringLiteral("<hr>"));
}

} // namespace tilescope::views
