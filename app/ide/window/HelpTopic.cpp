// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/HelpTopic.h"

#include "app/help/HelpPages.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/StageColumns.h"
#include "views/common/CodeView.h"
#include "views/editor/KernelEditor.h"
#include "views/problems/ProblemsModel.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QRegularExpression>
#include <QTreeView>

#include <algorithm>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::Diagnostic;

static QString words(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

static HelpSource::Fit shownFit(HelpFit fit) {
  switch (fit) {
  case HelpFit::Topic:
  case HelpFit::Member:
    return HelpSource::Fit::Exact;
  case HelpFit::BeginsTopic:
  case HelpFit::InTopic:
    return HelpSource::Fit::Term;
  case HelpFit::InText:
    break;
  }
  return HelpSource::Fit::Text;
}

HelpSource helpSource() {
  const auto index = std::make_shared<const HelpIndex>(helpPages());
  HelpSource source;
  source.numGlossary = glossary().size();
  for (const HelpPage &page : index->pages())
    source.entries.push_back({words(page.section), words(page.topic), words(page.text)});
  source.search = [index](const QString &search) {
    std::vector<HelpSource::Found> found;
    for (const auto &[fit, position] : index->search(search.toStdString()))
      found.push_back({position, shownFit(fit)});
    return found;
  };
  return source;
}

QString languageSection() { return QStringLiteral("Language"); }

/// Whether a page is of exactly that name.
static bool isTerm(const QString &name, const HelpSource &source) {
  const auto found = source.search(name);
  return !found.empty() &&
         source.entries[found.front().entry].term.compare(name, Qt::CaseInsensitive) == 0;
}

static QString editorTopic(const KernelEditor &editor, const HelpSource &source) {
  const Position at = editor.cursor();
  const QString word =
      editor.wordAtLineIndex(static_cast<int>(at.line), static_cast<int>(at.column));
  if (!word.isEmpty() && pageOf(source, word))
    return word;
  for (const Diagnostic &each : editor.visibleDiagnostics())
    if (each.range.file == 0 && each.range.begin <= at && at <= each.range.end)
      return words(compiler::diagnosticId(each.kind));
  return word;
}

/// Names of operations, instructions and layouts; not those of values, blocks and registers.
static QRegularExpressionMatchIterator namesIn(const QString &row) {
  static const QRegularExpression kName(QStringLiteral(
      "#tt[a-z]*\\.[a-z_]+|(?<![%@!#$\\w.])[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)*"));
  return kName.globalMatch(row);
}

/// What follows a word that means something else elsewhere, such as `max`.
static QString languageOf(compiler::StageId stage) {
  switch (stage) {
  case compiler::StageId::LlvmIr:
    return QStringLiteral(" (LLVM)");
  case compiler::StageId::Ptx:
    return QStringLiteral(" (PTX)");
  default:
    return {};
  }
}

/// The topic of the name as far as a page is of it: behind it an instruction has its widths and types.
static QString termOf(QString name, compiler::StageId stage, const HelpSource &source) {
  const QString language = languageOf(stage);
  while (!name.isEmpty()) {
    if (!language.isEmpty() && isTerm(name + language, source))
      return name + language;
    if (isTerm(name, source))
      return name;
    name.truncate(std::max<qsizetype>(name.lastIndexOf(u'.'), 0));
  }
  return {};
}

/// The operation or instruction of the current line: `ttg.convert_layout` of
/// `%4 = ttg.convert_layout %3 : …`, `ld.global` of `ld.global.v4.b32 {%r1, …}`, `LDG` of `LDG.E.128 R4, …`.
static QString operationOf(StageColumn &column, const HelpSource &source) {
  const CodeView &view = column.codeView();
  const int32_t line = view.currentLine();
  const QString text = QString::fromStdString(view.document().text());
  const QString row = line >= 0 ? text.section(u'\n', line, line) : QString();
  for (const auto &match : namesIn(row))
    if (const QString term = termOf(match.captured(), column.stage(), source); !term.isEmpty())
      return term;
  return {};
}

QString hoveredHelp(const QString &line, int column, compiler::StageId stage,
                    const HelpSource &source) {
  for (const auto &match : namesIn(line))
    if (match.capturedStart() <= column && column < match.capturedEnd())
      if (const QString term = termOf(match.captured(), stage, source); !term.isEmpty())
        return glossaryHint(source.entries, term);
  return {};
}

void showHelpInColumns(StageColumns &columns, const std::function<const HelpSource &()> &source) {
  const auto show = [source](StageColumn *column) {
    column->codeView().setWordHelp([source, stage = column->stage()](const QString &line, int at) {
      return hoveredHelp(line, at, stage, source());
    });
  };
  for (const auto &[stage, column] : columns.all())
    show(column);
  QObject::connect(&columns, &StageColumns::opened, &columns,
                   [show](ViewDock *, StageColumn *column) { show(column); });
}

static QString problemTopic(const ProblemsView &problems) {
  const auto *list = problems.findChild<QTreeView *>();
  if (!list || !list->currentIndex().isValid())
    return {};
  const auto *model = qobject_cast<const ProblemsModel *>(list->model());
  const SourceRange range = model->rangeAt(list->currentIndex());
  const auto found = std::ranges::find(model->diagnostics(), range, &Diagnostic::range);
  if (found != model->diagnostics().end())
    return words(compiler::diagnosticId(found->kind));
  const auto hint = std::ranges::find(model->hints(), range, &compiler::Hint::range);
  return hint == model->hints().end() ? QString() : words(compiler::hintId(hint->kind));
}

QString helpTopic(const HelpPlace &place, const HelpSource &source) {
  if (place.editor && place.editor->hasFocus())
    return editorTopic(*place.editor, source);
  if (!place.view)
    return {};
  QString topic;
  if (auto *column = place.view->findChild<StageColumn *>())
    topic = operationOf(*column, source);
  else if (place.problems && place.view->isAncestorOf(place.problems))
    topic = problemTopic(*place.problems);
  if (!topic.isEmpty() && pageOf(source, topic))
    return topic;
  // Without the count behind it, as in `Problems (2)`.
  const QString title = place.view->windowTitle().section(QStringLiteral(" ("), 0, 0);
  const QString view = title + QStringLiteral(" view");
  return isTerm(view, source) ? view : title;
}

} // namespace tilescope::app
