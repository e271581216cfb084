// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/Explanation.h"

#include "views/editor/FixPopup.h"
#include "views/editor/KernelEditor.h"

#include <tuple>

namespace tilescope::views {

using compiler::Diagnostic;

std::optional<Diagnostic> problemAtCursor(const KernelEditor &editor) {
  const Position at = editor.cursor();
  const auto rank = [&](const Diagnostic &each) {
    const bool isHere = each.range.begin <= at && at <= each.range.end;
    return std::tuple(isHere, static_cast<int>(each.severity));
  };
  std::optional<Diagnostic> found;
  for (const Diagnostic &each : editor.visibleDiagnostics())
    if (each.range.file == 0 && each.range.begin.line <= at.line &&
        at.line <= each.range.end.line && (!found || rank(each) > rank(*found)))
      found = each;
  return found;
}

FixPopup *showExplanation(KernelEditor &editor, const Diagnostic &problem, const QString &why) {
  QString said = QStringLiteral("**%1**\n\n").arg(QString::fromStdString(problem.message));
  for (const std::string &note : problem.notes)
    said += QString::fromStdString(note) + QStringLiteral("\n\n");
  std::vector<OfferedFix> fixes;
  for (const compiler::DiagnosticFix &fix : problem.fixes)
    if (fix.range.file == 0 && !editor.isReadOnly())
      fixes.push_back({fix});
  const QRect line = editor.lineRect(problem.range.begin.line);
  auto *popup = new FixPopup(&editor);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  // A popup has the keyboard while it is open, so the text stays what it was.
  QObject::connect(popup, &FixPopup::chosen, &editor, [&editor](const OfferedFix &fix) {
    editor.replaceRange(fix.edit.range, QString::fromStdString(fix.edit.replacement));
  });
  popup->explain(said + why, editor.utf8Text(), std::move(fixes),
                 QRect(editor.viewport()->mapToGlobal(line.topLeft()), line.size()));
  return popup;
}

} // namespace tilescope::views
