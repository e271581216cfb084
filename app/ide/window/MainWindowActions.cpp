// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Commands of the window: every one has a name, a place in the palette, and mostly a shortcut.
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/EditCommands.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/window/CommandSynonyms.h"
#include "app/ide/window/FixCommands.h"
#include "app/ide/window/HelpTopic.h"
#include "app/ide/window/KeptKey.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/ShortcutList.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StatusFacts.h"
#include "app/ide/window/ZoomWheel.h"
#include "views/common/CodeFamily.h"
#include "views/common/Theme.h"
#include "views/help/GlossaryView.h"
#include "views/help/GuideSearchBar.h"
#include "views/help/GuideView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/palette/CommandPalette.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QFontDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolTip>

namespace tilescope::app {

using namespace tilescope::views;

QAction *MainWindow::editorAction(const QString &id, const QString &text,
                                  const QKeySequence &shortcut, void (KernelEditor::*command)()) {
  return m_actions.add(id, text, shortcut, [this, command] {
    if (editor())
      (editor()->*command)();
  });
}

static QString titleOf(compiler::StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

static void showAbout(MainWindow *window) {
  QMessageBox::about(
      window, MainWindow::tr("About Tilescope"),
      MainWindow::tr(
          "<b>Tilescope %1</b><p>An IDE, compiler and profiler for block-level GPU kernels.</p>"
          "<p>Free software under the GNU General Public License, version 3 or later.</p>")
          .arg(QCoreApplication::applicationVersion()));
}

void MainWindow::createActions() {
  m_actions.add(QStringLiteral("palette"), tr("Command palette"),
                QKeySequence(QStringLiteral("Ctrl+Shift+P")), [this] {
                  fillRecentMenu();
                  QList<QAction *> all = m_actions.all();
                  for (QAction *recent : m_recentMenu->actions())
                    if (recent->isEnabled())
                      all << recent;
                  m_palette->open(all);
                });
  createFileActions();
  createEditActions();
  createViewActions();
  createRunActions();
  createProfileActions();
  createSweepActions();
  createLessonActions();
  createStepActions();
  m_actions.add(QStringLiteral("recompile"), tr("Compile again"),
                QKeySequence(QStringLiteral("Ctrl+B")), [this] { recompile(); });
  for (const compiler::StageId stage : compiler::stagesWith(compiler::stage_trait::Document))
    m_actions.add(forkAction(stage), tr("Edit %1 as a new file").arg(titleOf(stage)), {},
                  [this, stage] { forkStage(stage); });
  m_actions.add(QStringLiteral("guide"), tr("User's guide"),
                QKeySequence(QStringLiteral("Shift+F1")), [this] { openGuide(); });
  m_actions.add(QStringLiteral("guideSearch"), tr("Search the user's guide"),
                QKeySequence(QStringLiteral("Ctrl+F1")), [this] {
                  openGuide();
                  if (auto *guide = findChild<GuideView *>({}, Qt::FindDirectChildrenOnly))
                    guide->search().open();
                });
  // Made when it is first asked for.
  const auto help = [kept = std::make_shared<std::optional<HelpSource>>()]() -> const HelpSource & {
    return *kept ? **kept : kept->emplace(helpSource());
  };
  showHelpInColumns(*m_columns, help);
  m_actions.add(QStringLiteral("glossary"), tr("Glossary"), QKeySequence(QStringLiteral("F1")),
                [this, help] {
                  // Before the window of the pages takes the keyboard.
                  const QString topic = helpTopic({editor(), m_problems, m_docks->inUse()}, help());
                  openGlossary(this, help())->showTopic(topic);
                });
  m_actions.add(QStringLiteral("functions"), tr("Functions of the language"), {},
                [this, help] { openGlossary(this, help())->showSection(languageSection()); });
  m_actions.add(QStringLiteral("shortcuts"), tr("Keyboard shortcuts"), {},
                [this] { showShortcuts(m_actions.all(), this); });
  m_actions.add(QStringLiteral("about"), tr("About Tilescope"), {}, [this] { showAbout(this); });
  addSynonyms(m_actions);
}

void MainWindow::createRunActions() {
  // A file that is compiled only when asked is asked for now.
  const auto start = [this](void (RunController::*run)()) {
    if (!m_run->canRun())
      return statusBar()->showMessage(m_run->busyText(), 4000);
    if (!m_compile.document())
      recompile();
    dock(QStringLiteral("run"))->show();
    dock(QStringLiteral("run"))->raise();
    (m_run->*run)();
  };
  QAction *run =
      m_actions.add(QStringLiteral("run"), tr("Run on the CPU"), QKeySequence(QStringLiteral("F5")),
                    [start] { start(&RunController::runOnCpu); });
  run->setIcon(themedIcon(QStringLiteral("run"), ColorRole::Success));
  run->setIconText(tr("Run"));
  m_actions.add(QStringLiteral("runThere"), tr("Run on the device chosen in Run"),
                QKeySequence(QStringLiteral("Ctrl+F5")), [start] { start(&RunController::run); });
  m_actions.add(QStringLiteral("writeLaunch"), tr("Write a launch block"), {},
                [this] { m_run->writeSuggestedBlock(); });
  QAction *stop =
      m_actions.add(QStringLiteral("cancelRun"), tr("Stop the run"),
                    QKeySequence(QStringLiteral("Shift+F5")), [this] { m_run->cancel(); });
  stop->setIcon(themedIcon(QStringLiteral("stop"), ColorRole::Error));
  stop->setIconText(tr("Stop"));
  stop->setToolTip(tr("Stop the run (Shift+F5)"));
}

void MainWindow::createFileActions() {
  m_actions.add(QStringLiteral("new"), tr("New file"), QKeySequence::New, [this] { newFile(); });
  m_actions.add(QStringLiteral("open"), tr("Open file…"), QKeySequence::Open,
                [this] { chooseFiles(); });
  m_actions.add(QStringLiteral("openCache"), tr("Open folder…"),
                QKeySequence(QStringLiteral("Ctrl+Shift+O")), [this] { chooseCache(); });
  m_actions.add(QStringLiteral("openProfile"), tr("Open profile…"), {},
                [this] { chooseProfile(); });
  m_actions.add(QStringLiteral("saveProfile"), tr("Save profile…"), {}, [this] { saveProfile(); });
  m_actions.add(QStringLiteral("importFolders"), tr("Import folders…"), {},
                [this] { chooseImportFolders(); });
  m_actions.add(QStringLiteral("save"), tr("Save"), QKeySequence::Save, [this] {
    if (EditorPage *page = currentPage())
      savePage(page, false);
  });
  m_actions.add(QStringLiteral("saveAs"), tr("Save as…"),
                QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] {
                  if (EditorPage *page = currentPage())
                    savePage(page, true);
                });
  m_actions.add(QStringLiteral("convertToUtf8"), tr("Convert to UTF-8"), {}, [this] {
    if (EditorPage *page = currentPage())
      page->convertToUtf8();
  });
  m_actions.add(QStringLiteral("close"), tr("Close file"), QKeySequence(QStringLiteral("Ctrl+W")),
                [this] { closePage(m_tabs->currentIndex()); });
  m_actions.add(QStringLiteral("quit"), tr("Quit"), QKeySequence(QStringLiteral("Ctrl+Q")),
                [this] { close(); });
}

void MainWindow::createEditActions() {
  const std::tuple<const char *, QString, QKeySequence, EditCommand> commands[] = {
      {"undo", tr("Undo"), QKeySequence::Undo, EditCommand::Undo},
      {"redo", tr("Redo"), QKeySequence::Redo, EditCommand::Redo},
      {"cut", tr("Cut"), QKeySequence::Cut, EditCommand::Cut},
      {"copy", tr("Copy"), QKeySequence::Copy, EditCommand::Copy},
      {"paste", tr("Paste"), QKeySequence::Paste, EditCommand::Paste},
      {"selectAll", tr("Select all"), QKeySequence::SelectAll, EditCommand::SelectAll}};
  for (const auto &[id, text, shortcut, command] : commands)
    m_actions.add(QString::fromLatin1(id), text, shortcut,
                  [this, command = command] { editFocused(command); });
  action(QStringLiteral("redo"))
      ->setShortcuts(
          {QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
  m_actions.add(QStringLiteral("find"), tr("Find"), QKeySequence::Find, [this] {
    for (auto &[id, column] : m_columns->all())
      if (column->isAncestorOf(QApplication::focusWidget()))
        return column->openFind();
    if (EditorPage *page = currentPage())
      page->openFind(FindBar::Mode::Find);
  });
  m_actions.add(QStringLiteral("replace"), tr("Find and replace"),
                QKeySequence(QStringLiteral("Ctrl+H")), [this] {
                  if (EditorPage *page = currentPage())
                    page->openFind(FindBar::Mode::Replace);
                });
  m_actions.add(QStringLiteral("goToLine"), tr("Go to line…"),
                QKeySequence(QStringLiteral("Ctrl+G")), [this] {
                  if (EditorPage *page = currentPage())
                    page->openGoToLine();
                });
  m_actions.add(QStringLiteral("definition"), tr("Go to definition"),
                QKeySequence(QStringLiteral("F12")), [this] {
                  if (editor())
                    goToDefinition(editor()->cursor());
                });
  editorAction(QStringLiteral("usages"), tr("Find usages in the file"),
               QKeySequence(QStringLiteral("Shift+F12")), &KernelEditor::showUsages);
  editorAction(QStringLiteral("rename"), tr("Rename in the function"),
               QKeySequence(QStringLiteral("F2")), &KernelEditor::selectUsages);
  m_actions.add(QStringLiteral("back"), tr("Back to the last place"),
                QKeySequence(QStringLiteral("Alt+Left")), [this] { stepHistory(false); });
  m_actions.add(QStringLiteral("forward"), tr("Forward to the next place"),
                QKeySequence(QStringLiteral("Alt+Right")), [this] { stepHistory(true); });
  editorAction(QStringLiteral("comment"), tr("Toggle comment"),
               QKeySequence(QStringLiteral("Ctrl+/")), &KernelEditor::toggleComment);
  editorAction(QStringLiteral("duplicate"), tr("Duplicate lines"),
               QKeySequence(QStringLiteral("Ctrl+Shift+D")), &KernelEditor::duplicateLines);
  auto withDirection = [this](const char *id, const QString &text, const char *keys,
                              void (KernelEditor::*command)(bool), bool direction) {
    m_actions.add(QString::fromLatin1(id), text, QKeySequence(QString::fromLatin1(keys)),
                  [this, command, direction] {
                    if (editor())
                      (editor()->*command)(direction);
                  });
  };
  withDirection("moveUp", tr("Move lines up"), "Alt+Up", &KernelEditor::moveLines, false);
  withDirection("moveDown", tr("Move lines down"), "Alt+Down", &KernelEditor::moveLines, true);
  withDirection("cursorAbove", tr("Add cursor above"), "Ctrl+Alt+Up", &KernelEditor::addCursor,
                false);
  withDirection("cursorBelow", tr("Add cursor below"), "Ctrl+Alt+Down", &KernelEditor::addCursor,
                true);
  editorAction(QStringLiteral("nextOccurrence"), tr("Select next occurrence"),
               QKeySequence(QStringLiteral("Ctrl+D")), &KernelEditor::selectNextOccurrence);
  editorAction(QStringLiteral("fold"), tr("Fold or unfold"),
               QKeySequence(QStringLiteral("Ctrl+Shift+[")), &KernelEditor::toggleFoldAtCursor);
  editorAction(QStringLiteral("complete"), tr("Complete"),
               QKeySequence(QStringLiteral("Ctrl+Space")), &KernelEditor::triggerCompletion);
  editorAction(QStringLiteral("signature"), tr("Show parameters"),
               QKeySequence(QStringLiteral("Ctrl+Shift+Space")), &KernelEditor::showSignature);
  addFixCommands(m_actions, [this] { return editor(); }, statusBar());
  m_actions.add(QStringLiteral("explain"), tr("Explain the problem"),
                QKeySequence(QStringLiteral("Ctrl+Alt+E")), [this] { explainProblem(); });
  editorAction(QStringLiteral("hover"), tr("Show type and documentation"),
               QKeySequence(QStringLiteral("Ctrl+K")), &KernelEditor::showHover);
}

void MainWindow::createViewActions() {
  m_actions.add(QStringLiteral("nextProblem"), tr("Next problem"),
                QKeySequence(QStringLiteral("F8")), [this] { stepProblem(true); });
  m_actions.add(QStringLiteral("previousProblem"), tr("Previous problem"),
                QKeySequence(QStringLiteral("Shift+F8")), [this] { stepProblem(false); });
  m_actions.add(QStringLiteral("align"), tr("Align columns with the cursor"),
                QKeySequence(QStringLiteral("Ctrl+L")), [this] { m_columns->align(); });
  m_actions.add(
      QStringLiteral("baseline"), tr("Set baseline for comparisons"),
      QKeySequence(QStringLiteral("Ctrl+Shift+B")), [this] {
        if (!m_compile.latest())
          return;
        const ResultPointer now = m_compile.latest()->result();
        m_columns->setBaseline(now);
        statusBar()->showMessage(
            tr("The baseline of `%1` is what it is now: columns set to `Diff to baseline` "
               "show what changes from here on")
                .arg(QString::fromStdString(now->kernel)),
            6000);
      });
  QAction *hints = m_actions.add(QStringLiteral("hints"), tr("Inlay hints"),
                                 QKeySequence(QStringLiteral("Ctrl+Alt+H")), [this] {
                                   m_session.hintsVisible =
                                       action(QStringLiteral("hints"))->isChecked();
                                   for (EditorPage *page : m_tabs->pages())
                                     page->editor().setHintsVisible(m_session.hintsVisible);
                                 });
  hints->setCheckable(true);
  hints->setChecked(m_session.hintsVisible);
  createZoomActions();
  createThemeActions();
  m_actions.add(QStringLiteral("maximize"), tr("Maximize or restore the view in use"),
                QKeySequence(QStringLiteral("Ctrl+M")), [this] {
                  ViewDock *view = m_docks->inUse();
                  toggleMaximized(view ? static_cast<QWidget *>(view) : centralWidget());
                });
  m_actions.add(QStringLiteral("closeView"), tr("Close the view in use"),
                QKeySequence(QStringLiteral("Ctrl+Shift+W")), [this] {
                  if (ViewDock *view = m_docks->inUse()) {
                    // Shown alone, it would only give the others back.
                    if (m_docks->maximized().view() == view)
                      m_docks->maximized().restore();
                    view->close();
                    goToEditor();
                  }
                });
  m_actions.add(QStringLiteral("font"), tr("Font of code…"), {}, [this] { chooseFont(); });
  m_actions.add(QStringLiteral("nextTab"), tr("Next file"),
                QKeySequence(QStringLiteral("Ctrl+PgDown")), [this] { m_tabs->step(1); });
  m_actions.add(QStringLiteral("previousTab"), tr("Previous file"),
                QKeySequence(QStringLiteral("Ctrl+PgUp")), [this] { m_tabs->step(-1); });
  m_actions.add(QStringLiteral("nextView"), tr("Next view"), QKeySequence(QStringLiteral("F6")),
                [this] { focusNextView(true); });
  m_actions.add(QStringLiteral("previousView"), tr("Previous view"),
                QKeySequence(QStringLiteral("Shift+F6")), [this] { focusNextView(false); });
  new KeptKey(m_actions.add(QStringLiteral("focusEditor"), tr("Go to the editor"),
                            QKeySequence(QStringLiteral("Ctrl+E")), [this] { goToEditor(); }));
  m_actions.add(QStringLiteral("meter"), tr("How fast the compiler follows the keys"), {},
                [this] { m_status->toggleMeter(); });
  createArrangementActions();
  m_columns->addCommands();
  createPassActions();
}

void MainWindow::createArrangementActions() {
  int number = 0;
  for (const WorkspaceKind &kind : kWorkspaces) {
    QAction *shown =
        m_actions.add(QStringLiteral("workspace.") + QString::fromLatin1(kind.name),
                      tr("Workspace: %1").arg(QCoreApplication::translate("Workspace", kind.title)),
                      QKeySequence(QStringLiteral("Alt+%1").arg(++number)),
                      [this, workspace = kind.id] { showWorkspace(workspace); });
    shown->setCheckable(true);
    shown->setIconText(QCoreApplication::translate("Workspace", kind.title));
    shown->setToolTip(tr("%1 (%2)").arg(QCoreApplication::translate("Workspace", kind.tip),
                                        shown->shortcut().toString(QKeySequence::NativeText)));
  }
  const auto mark = [this] {
    for (const WorkspaceKind &kind : kWorkspaces)
      action(QStringLiteral("workspace.") + QString::fromLatin1(kind.name))
          ->setChecked(kind.id == m_docks->workspace());
  };
  connect(m_docks, &DockSet::workspaceChanged, this, mark);
  mark();
  m_actions.add(QStringLiteral("splitRight"), tr("Split the stages to the right"),
                QKeySequence(QStringLiteral("Ctrl+\\")), [this] { splitRight(); });
  m_actions.add(QStringLiteral("joinColumns"), tr("Join all stages in one column"),
                QKeySequence(QStringLiteral("Ctrl+Shift+J")), [this] { m_docks->joinColumns(); });
  m_actions.add(QStringLiteral("defaultLayout"), tr("Reset arrangement"), {},
                [this] { restoreDefaultLayout(); });
}

void MainWindow::createThemeActions() {
  m_actions.add(QStringLiteral("themeDark"), tr("Dark theme"), {},
                [this] { setThemeName(QStringLiteral("dark")); });
  m_actions.add(QStringLiteral("themeLight"), tr("Light theme"), {},
                [this] { setThemeName(QStringLiteral("light")); });
  m_actions.add(QStringLiteral("themeSystem"), tr("Theme of the system"), {},
                [this] { setThemeName({}); });
  m_actions
      .add(
          QStringLiteral("themeToggle"), tr("Switch between dark and light"),
          QKeySequence(QStringLiteral("Ctrl+Shift+T")),
          [this] { setThemeName(theme().dark ? QStringLiteral("light") : QStringLiteral("dark")); })
      ->setIcon(themedIcon(QStringLiteral("theme")));
}

void MainWindow::createZoomActions() {
  m_actions.add(QStringLiteral("zoomIn"), tr("Larger text"), {}, [this] { zoom(1); })
      ->setShortcuts(
          {QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+="))});
  m_actions.add(QStringLiteral("zoomOut"), tr("Smaller text"),
                QKeySequence(QStringLiteral("Ctrl+-")), [this] { zoom(-1); });
  m_actions.add(QStringLiteral("zoomReset"), tr("Standard text size"),
                QKeySequence(QStringLiteral("Ctrl+0")), [this] { zoom(-fontZoom()); });
  connect(new ZoomWheel(this), &ZoomWheel::zoomRequested, this, &MainWindow::zoom);
}

void MainWindow::editFocused(EditCommand command) {
  QWidget *focused = QApplication::focusWidget();
  const bool isUndoing = command == EditCommand::Undo || command == EditCommand::Redo;
  if (!applyEditCommand(command, focused) && isUndoing)
    applyEditCommand(command, editor());
}

void MainWindow::zoom(int steps) {
  // It would stay where its text was.
  QToolTip::hideText();
  setFontZoom(fontZoom() + steps);
  m_session.fontZoom = fontZoom();
  m_tabs->fitCloseButtons();
  statusBar()->showMessage(tr("Text size: %1 %").arg(textPercent()), 4000);
  scheduleSave();
}

void MainWindow::chooseFont() {
  bool ok = false;
  const QFont font =
      QFontDialog::getFont(&ok, codeFont(), this, tr("Font of code"), QFontDialog::MonospacedFonts);
  if (!ok)
    return;
  m_session.codeFamily = font.family();
  setCodeFamily(m_session.codeFamily);
  scheduleSave();
}

void MainWindow::focusNextView(bool forward) {
  // The editor, then the views from left to right and top to bottom.
  std::vector<ViewDock *> places = m_docks->inFront();
  if (m_tabs->isVisible() && editor())
    places.insert(places.begin(), nullptr);
  if (places.empty())
    return;
  const auto current = std::find(places.begin(), places.end(), m_docks->focused());
  const size_t size = places.size();
  const size_t at = current == places.end() ? (forward ? size - 1 : 0)
                                            : static_cast<size_t>(current - places.begin());
  ViewDock *next = places[(at + (forward ? 1 : size - 1)) % size];
  if (next)
    next->focusView();
  else
    goToEditor();
}

} // namespace tilescope::app
