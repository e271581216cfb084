// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The KernelEditor's fixes: which lines have some, and the list that applies one.
#include "compiler/artifacts/UntriedFixes.h"
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

namespace {
/// How near a fix is to what the user asks about; the least comes first.
struct FixRank {
  bool isNoError = true;
  /// Of what is on the line, not at the cursor.
  bool isBeside = true;
  /// 0: an error. Hints come behind all problems.
  int mildness = 0;
  bool changesOtherLine = false;
  auto operator<=>(const FixRank &) const = default;
};
} // namespace

static int mildnessOf(compiler::Severity severity) {
  return static_cast<int>(compiler::Severity::Error) - static_cast<int>(severity);
}
static constexpr int kHintMildness = 100;

std::vector<OfferedFix> KernelEditor::fixesAt(Position at) const {
  std::vector<std::pair<FixRank, OfferedFix>> ranked;
  const auto add = [&](int mildness, bool isHere, bool isOfLine, OfferedFix fix) {
    if (fix.edit.range.file == 0)
      ranked.emplace_back(FixRank{mildness != 0, !isHere, mildness, !isOfLine}, std::move(fix));
  };
  const auto changesLine = [at](const DiagnosticFix &fix) { return isOnLine(fix.range, at); };
  for (const Diagnostic &diagnostic : m_diagnostics) {
    // Which of several lines stands wrong is told by what is around all of them.
    const bool isOfLines = diagnostic.kind == compiler::DiagnosticKind::SyntaxIndentation;
    if (anyPlace(diagnostic, at, isOnLine) ||
        (isOfLines && std::ranges::any_of(diagnostic.fixes, changesLine)))
      for (const DiagnosticFix &fix : diagnostic.fixes)
        add(mildnessOf(diagnostic.severity), anyPlace(diagnostic, at, isAt),
            isOfLines || changesLine(fix), {fix});
  }
  for (const compiler::Hint &hint : m_performanceHints)
    for (const compiler::HintFix &fix : hint.fixes)
      if (areFixesCurrent() && (isOnLine(hint.range, at) || changesLine(fix.edit)))
        add(kHintMildness, isAt(hint.range, at), changesLine(fix.edit), {fix.edit, fix.outcome});
  std::ranges::stable_sort(ranked, {}, &std::pair<FixRank, OfferedFix>::first);
  std::vector<OfferedFix> offered;
  for (auto &[rank, fix] : ranked)
    if (std::ranges::find(offered, fix) == offered.end())
      offered.push_back(std::move(fix));
  return offered;
}

/// A problem under the cursor is what is asked about, with `isOnLine` one on its line; null: there is
/// none.
static const Diagnostic *unfixedAt(const std::vector<Diagnostic> &diagnostics, Position at,
                                   bool (*fits)(const SourceRange &, Position) = isAt) {
  const auto hasFix = [](const Diagnostic &each) {
    return std::ranges::any_of(each.fixes, [](const auto &fix) { return fix.range.file == 0; });
  };
  const Diagnostic *found = nullptr;
  for (const Diagnostic &each : diagnostics) {
    if (!fits(each.range, at) || each.severity == compiler::Severity::Note)
      continue;
    if (hasFix(each))
      return nullptr;
    if (!found || each.severity > found->severity)
      found = &each;
  }
  return found;
}

/// A note may say what only the user can decide.
static QString whyUnfixed(const Diagnostic &problem) {
  QStringList said{QString::fromStdString(problem.message)};
  for (const std::string &note : problem.notes)
    said << QString::fromStdString(note);
  return (compiler::hasUntriedFixes(problem)
              ? KernelEditor::tr("A fix for this may exist, but could not be tried in time: %1")
              : KernelEditor::tr("No fix is available for this: %1"))
      .arg(said.join(u"; "));
}

QString KernelEditor::whyNoFix(uint32_t line) const {
  if (m_areDiagnosticsOutdated)
    return tr("The fixes of this text are not known yet: it is still being compiled. Press Ctrl+. "
              "again when that is done");
  if (const Diagnostic *problem = unfixedAt(m_diagnostics, cursor()))
    return whyUnfixed(*problem);
  const std::vector<compiler::Hint> hints = performanceHintsOn(line);
  for (const compiler::Hint &hint : hints)
    if (!hint.whyNoFix.empty())
      return tr("No fix is offered: %1").arg(QString::fromStdString(hint.whyNoFix));
  if (!hints.empty())
    return tr("This hint has no change that can be made for you: %1")
        .arg(QString::fromStdString(hints.front().advice));
  const Diagnostic *beside = unfixedAt(m_diagnostics, {line, 0}, isOnLine);
  return beside ? whyUnfixed(*beside) : tr("No fix is available here");
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
  // What is offered then is for others on the line.
  if (const Diagnostic *unfixed = unfixedAt(m_diagnostics, cursor()))
    popup->explain(tr("%1\n\nFor what else is on this line:").arg(whyUnfixed(*unfixed)), utf8Text(),
                   std::move(offered), anchor);
  else
    popup->present(utf8Text(), std::move(offered), anchor);
}

std::optional<OfferedFix> KernelEditor::triedFix() const {
  for (const OfferedFix &fix : fixesAt(cursor()))
    if (!fix.outcome.empty())
      return fix;
  return std::nullopt;
}

std::optional<OfferedFix> KernelEditor::applyTriedFix() {
  hidePopups();
  std::optional<OfferedFix> best = triedFix();
  if (best && !isReadOnly()) {
    replaceRange(best->edit.range, QString::fromStdString(best->edit.replacement));
    return best;
  }
  const QString why = best         ? tr("This text can only be read")
                      : hasFixes() ? tr("No fix here was tried: Ctrl+. lists those that there are")
                                   : whyNoFix(cursor().line);
  m_hover->showText(colored(why, ColorRole::TextMuted), cursorRect(send(SCI_GETCURRENTPOS)),
                    PopupSide::Below);
  return std::nullopt;
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
