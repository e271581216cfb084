// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The KernelEditor's fixes: which lines have some, and the list that applies one.
#include "views/common/Theme.h"
#include "views/editor/FixPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"

#include <algorithm>

namespace tilescope::views {

using compiler::Diagnostic;
using compiler::DiagnosticFix;

static bool isOnLine(const SourceRange &range, Position at) {
  return range.file == 0 && range.begin.line <= at.line && at.line <= range.end.line;
}

static bool isAt(const SourceRange &range, Position at) {
  return range.file == 0 && range.begin <= at && at <= range.end;
}

/// Whether the diagnostic, or a place that it names, fits.
template <typename Fits>
static bool anyPlace(const Diagnostic &diagnostic, Position at, const Fits &fits) {
  return fits(diagnostic.range, at) ||
         std::ranges::any_of(diagnostic.labels,
                             [&](const auto &label) { return fits(label.range, at); });
}

std::vector<OfferedFix> KernelEditor::fixesAt(Position at) const {
  std::vector<OfferedFix> here, onLine;
  const auto add = [&](bool isHere, OfferedFix fix) {
    std::vector<OfferedFix> &list = isHere ? here : onLine;
    if (fix.edit.range.file == 0 && std::ranges::find(list, fix) == list.end())
      list.push_back(std::move(fix));
  };
  for (const Diagnostic &diagnostic : m_diagnostics)
    if (anyPlace(diagnostic, at, isOnLine))
      for (const DiagnosticFix &fix : diagnostic.fixes)
        add(anyPlace(diagnostic, at, isAt), {fix});
  for (const compiler::Hint &hint : m_performanceHints)
    for (const compiler::HintFix &fix : hint.fixes)
      if (areFixesCurrent() && (isOnLine(hint.range, at) || isOnLine(fix.edit.range, at)))
        add(isAt(hint.range, at), {fix.edit, fix.outcome});
  here.insert(here.end(), onLine.begin(), onLine.end());
  return here;
}

/// A problem under the cursor is what is asked about; null: there is none.
static const Diagnostic *unfixedAt(const std::vector<Diagnostic> &diagnostics, Position at) {
  const auto hasFix = [](const Diagnostic &each) {
    return std::ranges::any_of(each.fixes, [](const auto &fix) { return fix.range.file == 0; });
  };
  const Diagnostic *found = nullptr;
  for (const Diagnostic &each : diagnostics) {
    if (!isAt(each.range, at) || each.severity == compiler::Severity::Note)
      continue;
    if (hasFix(each))
      return nullptr;
    if (!found || each.severity > found->severity)
      found = &each;
  }
  return found;
}

QString KernelEditor::whyNoFix(uint32_t line) const {
  if (const Diagnostic *problem = unfixedAt(m_diagnostics, cursor()))
    return tr("No fix is available for this: %1").arg(QString::fromStdString(problem->message));
  const std::vector<compiler::Hint> hints = performanceHintsOn(line);
  for (const compiler::Hint &hint : hints)
    if (!hint.whyNoFix.empty())
      return tr("No fix is offered: %1").arg(QString::fromStdString(hint.whyNoFix));
  return hints.empty() ? tr("No fix is available here")
                       : tr("This hint has no change that can be made for you: %1")
                             .arg(QString::fromStdString(hints.front().advice));
}

void KernelEditor::showFixes() {
  const QRect anchor = cursorRect(send(SCI_GETCURRENTPOS));
  std::vector<OfferedFix> offered = fixesAt(cursor());
  hidePopups();
  // A hint about the same line is not the answer to a problem.
  const bool isOfHints = std::ranges::all_of(offered, [this](const OfferedFix &each) {
    return std::ranges::any_of(m_performanceHints, [&](const compiler::Hint &hint) {
      return std::ranges::find(hint.fixes, each.edit, &compiler::HintFix::edit) != hint.fixes.end();
    });
  });
  if (offered.empty() || (isOfHints && unfixedAt(m_diagnostics, cursor()))) {
    m_hover->showText(colored(whyNoFix(cursor().line), ColorRole::TextMuted), anchor,
                      PopupSide::Below);
    return;
  }
  auto *popup = new FixPopup(this);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  connect(popup, &FixPopup::chosen, this, [this, changes = m_numChanges](const OfferedFix &fix) {
    if (changes == m_numChanges)
      replaceRange(fix.edit.range, QString::fromStdString(fix.edit.replacement));
  });
  popup->present(utf8Text(), std::move(offered), anchor);
}

std::optional<Position> KernelEditor::fixPlaceOn(uint32_t line) const {
  for (const Diagnostic &diagnostic : m_shown)
    if (diagnostic.range.begin.line == line &&
        std::ranges::any_of(diagnostic.fixes,
                            [](const DiagnosticFix &fix) { return fix.range.file == 0; }))
      return diagnostic.range.begin;
  for (const compiler::Hint &hint : m_performanceHints)
    if (areFixesCurrent() && hint.range.begin.line == line &&
        std::ranges::any_of(hint.fixes, [](const auto &fix) { return fix.edit.range.file == 0; }))
      return hint.range.begin;
  return std::nullopt;
}

bool KernelEditor::showFixesOn(uint32_t line) {
  const std::optional<Position> place = fixPlaceOn(line);
  if (!place)
    return false;
  goTo(*place);
  setFocus();
  showFixes();
  return true;
}

} // namespace tilescope::views
