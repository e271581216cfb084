// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Jumps to places in files, and the way back.
#include "app/help/HelpPages.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/Definitions.h"
#include "app/ide/window/MainWindow.h"
#include "views/editor/Explanation.h"
#include "views/help/GuideView.h"
#include "views/problems/ProblemsView.h"

#include <QHash>
#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::CompileResult;

NavigationPlace MainWindow::currentPlace() const {
  EditorPage *page = currentPage();
  return page ? NavigationPlace{page, page->path(), page->editor().cursor()} : NavigationPlace{};
}

/// Qt leaves views that are behind a tab visible, beyond the window's edge. What a view in front
/// has scrolled away comes into sight with the keyboard.
static bool isBehind(const QWidget &widget) {
  for (const QWidget *each = &widget; each; each = each->parentWidget())
    if (const auto *dock = qobject_cast<const ViewDock *>(each))
      return !dock->isInFront();
  return widget.visibleRegion().isEmpty();
}

bool MainWindow::focusNextPrevChild(bool next) {
  QWidget *from = focusWidget() ? focusWidget() : this;
  const auto follow = [next](QWidget *widget) {
    return next ? widget->nextInFocusChain() : widget->previousInFocusChain();
  };
  for (QWidget *each = follow(from); each != from; each = follow(each)) {
    const bool isStop = (each->focusPolicy() & Qt::TabFocus) == Qt::TabFocus &&
                        each->window() == this && each->isVisible() && each->isEnabled() &&
                        !each->focusProxy() && !isBehind(*each);
    if (!isStop)
      continue;
    each->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
  }
  return false;
}

void MainWindow::stepHistory(bool forward) {
  const std::optional<NavigationPlace> place =
      forward ? m_history.forward(currentPlace()) : m_history.back(currentPlace());
  if (!place) {
    statusBar()->showMessage(forward ? tr("There is no place to go forward to")
                                     : tr("There is no place to go back to"),
                             4000);
    return;
  }
  EditorPage *page = place->page;
  if (page)
    m_tabs->setCurrentWidget(page);
  else if (QFile::exists(place->path))
    page = openFile(place->path);
  if (!page)
    return;
  page->editor().goTo(place->position);
  goToEditor();
}

/// Nothing is selected where a jump leads: the next key must not replace what the user looks at.
void MainWindow::goTo(const SourceRange &range) {
  const NavigationPlace left = currentPlace();
  // The document that was compiled may not be the current one.
  if (range.file == 0 && !showsResultOfPage())
    showPageOfResult();
  if (range.file == 0 && !showsResultOfPage())
    return;
  if (range.file == 0 && editor()) {
    m_history.leave(left);
    editor()->goTo(range.begin);
    goToEditor();
    return;
  }
  if (range.file < m_problemFiles.size())
    goToPlace(m_problemFiles[range.file], range);
}

bool MainWindow::refusesEdits() {
  if (!editor() || !editor()->isReadOnly())
    return false;
  statusBar()->showMessage(
      tr("%1: copy the text into a file of your own to change it").arg(currentPage()->title()),
      6000);
  return true;
}

/// A copy: the list that offers it changes with the text.
void MainWindow::applyFix(compiler::DiagnosticFix fix) {
  if (fix.range.file != 0)
    return;
  if (!showsResultOfPage())
    showPageOfResult();
  if (!editor() || !showsResultOfPage() || refusesEdits())
    return;
  m_history.leave(currentPlace());
  editor()->replaceRange(fix.range, QString::fromStdString(fix.replacement));
  editor()->goTo(fix.range.begin);
  goToEditor();
}

/// The open text without a file that a compile or a run knew by its name; null: none.
static EditorPage *unnamedPage(const FileTabs &tabs, const std::string &name) {
  const std::vector<EditorPage *> pages = tabs.pages();
  const auto found = std::ranges::find_if(pages, [&](const EditorPage *page) {
    return page->path().isEmpty() && !page->isReadOnly() &&
           page->untitledName().toStdString() == name;
  });
  return found == pages.end() ? nullptr : *found;
}

void MainWindow::goToPlace(const compiler::SourceFile &file, const SourceRange &range) {
  const NavigationPlace left = currentPlace();
  m_tabs->awaited().finish();
  EditorPage *page = unnamedPage(*m_tabs, file.path);
  if (page)
    m_tabs->setCurrentWidget(page);
  else
    page = m_tabs->showPath(QString::fromStdString(file.path));
  if (!page)
    page = showFile(file);
  if (!page)
    return;
  m_history.leave(left);
  page->editor().goTo(range.begin);
  goToEditor();
}

void MainWindow::showPageOfResult() {
  for (EditorPage *page : m_tabs->pages())
    if (page == m_compile.file())
      m_tabs->setCurrentWidget(page);
}

/// The file on the disk, or a text that is not there, such as one of the prelude.
EditorPage *MainWindow::showFile(const compiler::SourceFile &file) {
  const QString path = QString::fromStdString(file.path);
  return QFile::exists(path) ? openFile(path)
                             : openReadOnly(path, QString::fromStdString(file.text));
}

std::optional<Definition> MainWindow::definitionAt(Position position) const {
  // As they are compiled: what is not saved comes first.
  std::vector<compiler::SourceFile> known;
  for (EditorPage *page : m_tabs->pages())
    if (!page->path().isEmpty())
      known.push_back({page->path().toStdString(), page->editor().utf8Text()});
  return findDefinition(editor()->utf8Text(), currentPage()->path().toStdString(),
                        editor()->nameBefore(position), known);
}

void MainWindow::goToDefinition(Position position) {
  const std::optional<Definition> found = definitionAt(position);
  if (!found) {
    const std::string builtIn = builtInAt(editor()->utf8Text(), editor()->nameBefore(position));
    statusBar()->showMessage(
        builtIn.empty() ? tr("No definition was found that kernels can use")
                        : tr("`%1` is built in: it has no definition in the kernel language")
                              .arg(QString::fromStdString(builtIn)),
        4000);
    // Its documentation.
    if (!builtIn.empty())
      editor()->showHover();
    return;
  }
  const NavigationPlace left = currentPlace();
  EditorPage *page = found->path.empty() ? currentPage() : showFile({found->path, found->text});
  if (!page)
    return;
  m_history.leave(left);
  page->editor().goTo(found->range.begin);
  goToEditor();
}

/// The page of the guide that is about a view; empty: none is.
static QString guidePageOf(const ViewDock &view) {
  static const QHash<QString, QString> kPages{
      {QStringLiteral("lesson"), QStringLiteral("lessons")},
      {QStringLiteral("passes"), QStringLiteral("columns")},
      {QStringLiteral("shared"), QStringLiteral("shared-memory")},
      {QStringLiteral("step"), QStringLiteral("stepping")}};
  const QString id =
      view.objectName().startsWith(u"stage.") ? QStringLiteral("columns") : view.objectName();
  const QString wanted = QStringLiteral("/guide/%1.md").arg(kPages.value(id, id));
  for (const GuidePage &page : guidePages())
    if (page.address.endsWith(wanted))
      return page.address;
  return {};
}

void MainWindow::openGuide() {
  const ViewDock *view = editor() && editor()->hasFocus() ? nullptr : m_docks->inUse();
  const QString page = view ? guidePageOf(*view) : QString();
  GuideView *guide =
      showGuide(this, {m_session.guidePage, m_session.guidePlace, m_session.guideGeometry});
  if (!page.isEmpty())
    guide->goTo({page, 0, {}});
  connect(guide, &views::GuideView::left, this, &MainWindow::noteGuide, Qt::UniqueConnection);
}

void MainWindow::noteGuide() {
  if (const auto *guide = findChild<views::GuideView *>({}, Qt::FindDirectChildrenOnly)) {
    const views::GuidePlace place = guide->place();
    m_session.guidePage = place.page;
    m_session.guidePlace = place.place;
    m_session.guideGeometry = place.geometry;
    scheduleSave();
  }
}

void MainWindow::stepProblem(bool forward) {
  if (const auto place = editor() ? editor()->goToProblem(forward) : std::nullopt)
    m_problems->select(*place);
  else
    m_problems->step(forward);
}

void MainWindow::explainProblem() {
  if (m_docks->inUse() == dock(QStringLiteral("problems")))
    if (const std::optional<SourceRange> chosen = m_problems->chosen())
      goTo(*chosen);
  if (!editor())
    return;
  std::vector<ExplainedProblem> problems;
  for (const compiler::Diagnostic &each : problemsAtCursor(*editor()))
    problems.push_back(
        {each, QString::fromStdString(explanationOf(compiler::diagnosticId(each.kind)))});
  if (problems.empty())
    return statusBar()->showMessage(
        tr("Nothing is wrong in the cursor's line; F8 goes to the next problem"), 4000);
  showExplanation(*editor(), problems);
}

} // namespace tilescope::app
