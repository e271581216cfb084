// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/Explanation.h"

#include "views/editor/FixPopup.h"
#include "views/editor/KernelEditor.h"

#include <algorithm>
#include <functional>

namespace tilescope::views {

using compiler::Diagnostic;

std::vector<Diagnostic> problemsAtCursor(const KernelEditor &editor) {
  const Position at = editor.cursor();
  const auto isHere = [&](const Diagnostic &each) {
    return each.range.begin <= at && at <= each.range.end;
  };
  std::vector<Diagnostic> found = editor.visibleDiagnostics();
  std::erase_if(found, [&](const Diagnostic &each) {
    return each.range.file != 0 || each.range.begin.line > at.line || at.line > each.range.end.line;
  });
  if (std::ranges::any_of(found, isHere))
    std::erase_if(found, std::not_fn(isHere));
  std::ranges::stable_sort(found, std::greater(), &Diagnostic::severity);
  return found;
}

FixPopup *showExplanation(KernelEditor &editor, const std::vector<ExplainedProblem> &problems) {
  QStringList said;
  std::vector<OfferedFix> fixes;
  for (const auto &[problem, why] : problems) {
    QString words = QStringLiteral("**%1**\n\n").arg(QString::fromStdString(problem.message));
    for (const std::string &note : problem.notes)
      words += QString::fromStdString(note) + QStringLiteral("\n\n");
    // Two of one kind are explained once.
    if (said.isEmpty() || !said.join(QString()).contains(why))
      words += why;
    said << words;
    for (const compiler::DiagnosticFix &fix : problem.fixes)
      if (fix.range.file == 0 && !editor.isReadOnly() &&
          std::ranges::find(fixes, fix, &OfferedFix::edit) == fixes.end())
        fixes.push_back({fix});
  }
  const QRect line = editor.lineRect(problems.front().problem.range.begin.line);
  auto *popup = new FixPopup(&editor);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  // A popup has the keyboard while it is open, so the text stays what it was.
  QObject::connect(popup, &FixPopup::chosen, &editor, [&editor](const OfferedFix &fix) {
    editor.replaceRange(fix.edit.range, QString::fromStdString(fix.edit.replacement));
  });
  popup->explain(said.join(QStringLiteral("\n\n---\n\n")), editor.utf8Text(), std::move(fixes),
                 QRect(editor.viewport()->mapToGlobal(line.topLeft()), line.size()));
  return popup;
}

} // namespace tilescope::views
