// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Commands of the window: every one has a name, a place in the palette, and mostly a shortcut.
#include "app/ide/MainWindow.h"
#include "app/ide/RunController.h"
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"
#include "views/palette/CommandPalette.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>

namespace tilescope::app {

using namespace tilescope::views;

QAction *MainWindow::addAction(const QString &id, const QString &text, const QKeySequence &shortcut,
                               std::function<void()> handler) {
  auto *created = new QAction(text, this);
  created->setObjectName(id);
  created->setShortcut(shortcut);
  connect(created, &QAction::triggered, this, [handler = std::move(handler)] { handler(); });
  QMainWindow::addAction(created);
  m_actions[id] = created;
  m_actionOrder << created;
  return created;
}

QAction *MainWindow::editorAction(const QString &id, const QString &text,
                                  const QKeySequence &shortcut, void (KernelEditor::*command)()) {
  return addAction(id, text, shortcut, [this, command] {
    if (editor())
      (editor()->*command)();
  });
}

void MainWindow::createActions() {
  addAction(QStringLiteral("palette"), tr("Command palette"),
            QKeySequence(QStringLiteral("Ctrl+Shift+P")),
            [this] { m_palette->open(m_actionOrder); });
  createFileActions();
  createEditActions();
  createViewActions();
  addAction(QStringLiteral("run"), tr("Run on the interpreter"), QKeySequence(QStringLiteral("F5")),
            [this] {
              dock(QStringLiteral("run"))->show();
              dock(QStringLiteral("run"))->raise();
              m_run->runOnInterpreter();
            })
      ->setIcon(themedIcon(QStringLiteral("run"), ColorRole::Success));
  addAction(QStringLiteral("cancelRun"), tr("Stop the run"),
            QKeySequence(QStringLiteral("Shift+F5")), [this] { m_run->cancel(); });
  addAction(QStringLiteral("recompile"), tr("Compile again"),
            QKeySequence(QStringLiteral("Ctrl+B")), [this] { m_compile.recompile(); });
  addAction(QStringLiteral("about"), tr("About Tilescope"), {}, [this] { showAbout(); });
}

void MainWindow::createFileActions() {
  addAction(QStringLiteral("new"), tr("New file"), QKeySequence::New, [this] { newFile(); });
  addAction(QStringLiteral("open"), tr("Open file…"), QKeySequence::Open, [this] {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open"), currentPage() ? QFileInfo(currentPage()->path()).path() : QString(),
        tr("Kernels and IR (*.py *.ttir *.ttgir *.mlir *.ll *.ptx);;All files (*)"));
    for (const QString &path : paths)
      openFile(path);
  });
  addAction(QStringLiteral("save"), tr("Save"), QKeySequence::Save, [this] {
    if (EditorPage *page = currentPage())
      savePage(page, false);
  });
  addAction(QStringLiteral("saveAs"), tr("Save as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")),
            [this] {
              if (EditorPage *page = currentPage())
                savePage(page, true);
            });
  addAction(QStringLiteral("close"), tr("Close file"), QKeySequence(QStringLiteral("Ctrl+W")),
            [this] { closePage(m_tabs->currentIndex()); });
  addAction(QStringLiteral("quit"), tr("Quit"), QKeySequence(QStringLiteral("Ctrl+Q")),
            [this] { close(); });
}

void MainWindow::createEditActions() {
  editorAction(QStringLiteral("undo"), tr("Undo"), QKeySequence::Undo, &QsciScintilla::undo);
  editorAction(QStringLiteral("redo"), tr("Redo"), QKeySequence::Redo, &QsciScintilla::redo);
  addAction(QStringLiteral("find"), tr("Find"), QKeySequence::Find, [this] {
    for (auto &[id, column] : m_columns)
      if (column->isAncestorOf(QApplication::focusWidget()))
        return column->openFind();
    if (EditorPage *page = currentPage())
      page->openFind(FindBar::Mode::Find);
  });
  addAction(QStringLiteral("replace"), tr("Find and replace"),
            QKeySequence(QStringLiteral("Ctrl+H")), [this] {
              if (EditorPage *page = currentPage())
                page->openFind(FindBar::Mode::Replace);
            });
  addAction(QStringLiteral("goToLine"), tr("Go to line…"), QKeySequence(QStringLiteral("Ctrl+G")),
            [this] { goToLine(); });
  addAction(QStringLiteral("definition"), tr("Go to definition"),
            QKeySequence(QStringLiteral("F12")), [this] {
              if (editor())
                goToDefinition(editor()->cursor());
            });
  editorAction(QStringLiteral("comment"), tr("Toggle comment"),
               QKeySequence(QStringLiteral("Ctrl+/")), &KernelEditor::toggleComment);
  editorAction(QStringLiteral("duplicate"), tr("Duplicate lines"),
               QKeySequence(QStringLiteral("Ctrl+Shift+D")), &KernelEditor::duplicateLines);
  auto withDirection = [this](const char *id, const QString &text, const char *keys,
                              void (KernelEditor::*command)(bool), bool direction) {
    addAction(QString::fromLatin1(id), text, QKeySequence(QString::fromLatin1(keys)),
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
  editorAction(QStringLiteral("hover"), tr("Show type and documentation"),
               QKeySequence(QStringLiteral("Ctrl+K")), &KernelEditor::showHover);
}

void MainWindow::createViewActions() {
  addAction(QStringLiteral("nextProblem"), tr("Next problem"), QKeySequence(QStringLiteral("F8")),
            [this] { m_problems->step(true); });
  addAction(QStringLiteral("previousProblem"), tr("Previous problem"),
            QKeySequence(QStringLiteral("Shift+F8")), [this] { m_problems->step(false); });
  addAction(QStringLiteral("align"), tr("Align columns with the cursor"),
            QKeySequence(QStringLiteral("Ctrl+L")), [this] {
              for (auto &[id, column] : m_columns)
                column->align();
            });
  addAction(QStringLiteral("baseline"), tr("Set baseline for comparisons"),
            QKeySequence(QStringLiteral("Ctrl+Shift+B")), [this] {
              if (!m_compile.latest())
                return;
              m_baseline = m_compile.latest()->result();
              for (auto &[id, column] : m_columns)
                column->setBaseline(m_baseline);
            });
  addAction(QStringLiteral("exportLayout"), tr("Export layout diagram…"), {},
            [this] { m_layout->exportInteractively(); });
  QAction *hints = addAction(QStringLiteral("hints"), tr("Inlay hints"),
                             QKeySequence(QStringLiteral("Ctrl+Alt+H")), [this] {
                               m_session.hintsVisible =
                                   action(QStringLiteral("hints"))->isChecked();
                               for (int i = 0; i < m_tabs->count(); ++i)
                                 static_cast<EditorPage *>(m_tabs->widget(i))
                                     ->editor()
                                     .setHintsVisible(m_session.hintsVisible);
                             });
  hints->setCheckable(true);
  hints->setChecked(m_session.hintsVisible);
  addAction(QStringLiteral("zoomIn"), tr("Larger text"), QKeySequence::ZoomIn, [this] { zoom(1); });
  addAction(QStringLiteral("zoomOut"), tr("Smaller text"), QKeySequence::ZoomOut,
            [this] { zoom(-1); });
  addAction(QStringLiteral("zoomReset"), tr("Standard text size"),
            QKeySequence(QStringLiteral("Ctrl+0")), [this] { zoom(-fontZoom()); });
  action(QStringLiteral("zoomIn"))
      ->setShortcuts(
          {QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+="))});
  addAction(QStringLiteral("themeDark"), tr("Dark theme"), {},
            [this] { setThemeName(QStringLiteral("dark")); });
  addAction(QStringLiteral("themeLight"), tr("Light theme"), {},
            [this] { setThemeName(QStringLiteral("light")); });
  addAction(QStringLiteral("themeSystem"), tr("Theme of the system"), {},
            [this] { setThemeName({}); });
  addAction(
      QStringLiteral("themeToggle"), tr("Switch between dark and light"),
      QKeySequence(QStringLiteral("Ctrl+Shift+T")),
      [this] { setThemeName(theme().dark ? QStringLiteral("light") : QStringLiteral("dark")); })
      ->setIcon(themedIcon(QStringLiteral("theme")));
  addAction(QStringLiteral("maximize"), tr("Maximize or restore the view in use"),
            QKeySequence(QStringLiteral("Ctrl+M")), [this] {
              if (m_maximized)
                return toggleMaximized(m_maximized);
              for (auto &[id, widget] : m_docks)
                if (widget->isAncestorOf(QApplication::focusWidget()))
                  return toggleMaximized(widget);
            });
  addAction(QStringLiteral("defaultLayout"), tr("Restore the default arrangement"), {},
            [this] { restoreDefaultLayout(); });
}

void MainWindow::createMenus() {
  auto menu = [this](const QString &title, std::initializer_list<const char *> ids) {
    QMenu *created = menuBar()->addMenu(title);
    for (const char *id : ids) {
      if (*id == '-')
        created->addSeparator();
      else
        created->QWidget::addAction(action(QString::fromLatin1(id)));
    }
    return created;
  };
  QMenu *file = menu(tr("&File"), {"new", "open"});
  m_examplesMenu = file->addMenu(tr("Examples"));
  m_recentMenu = file->addMenu(tr("Recent files"));
  file->addSeparator();
  for (const char *id : {"save", "saveAs", "close"})
    file->QWidget::addAction(action(QString::fromLatin1(id)));
  file->addSeparator();
  file->QWidget::addAction(action(QStringLiteral("quit")));
  connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  fillExamplesMenu();
  menu(tr("&Edit"), {"undo",           "redo",       "-",    "find",        "replace",
                     "goToLine",       "definition", "-",    "comment",     "duplicate",
                     "moveUp",         "moveDown",   "-",    "cursorAbove", "cursorBelow",
                     "nextOccurrence", "-",          "fold", "complete",    "hover"});
  QMenu *view = menu(tr("&View"), {"nextProblem", "previousProblem", "-", "align", "baseline",
                                   "exportLayout", "hints", "-"});
  for (const auto &[id, widget] : m_docks)
    view->QWidget::addAction(action(QStringLiteral("view.") + id));
  view->addSeparator();
  for (const char *id : {"maximize", "defaultLayout"})
    view->QWidget::addAction(action(QString::fromLatin1(id)));
  view->addSeparator();
  for (const char *id :
       {"zoomIn", "zoomOut", "zoomReset", "themeDark", "themeLight", "themeSystem"})
    view->QWidget::addAction(action(QString::fromLatin1(id)));
  menu(tr("&Kernel"), {"recompile", "-", "run", "cancelRun"});
  menu(tr("&Help"), {"palette", "-", "about"});
}

void MainWindow::createToolBar() {
  QToolBar *bar = addToolBar(tr("Kernel"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(16, 16));
  auto caption = [&](const QString &text) {
    auto *label = new QLabel(text, bar);
    label->setProperty("faint", true);
    label->setContentsMargins(6, 0, 2, 0);
    bar->addWidget(label);
  };
  caption(tr("Kernel"));
  m_kernels = new QComboBox(bar);
  m_kernels->setMinimumContentsLength(18);
  m_kernels->setAccessibleName(tr("Kernel"));
  bar->addWidget(m_kernels);
  caption(tr("Target"));
  m_targets = new QComboBox(bar);
  m_targets->setAccessibleName(tr("Target"));
  static constexpr std::pair<const char *, const char *> kTargets[] = {
      {"", "default"},
      {"cuda:80", "cuda:80  A100"},
      {"cuda:86", "cuda:86  RTX 30"},
      {"cuda:89", "cuda:89  RTX 40"},
      {"cuda:90", "cuda:90  H100, H200"},
      {"cuda:100", "cuda:100  B200"},
      {"cuda:120", "cuda:120  RTX 50"}};
  for (const auto &[target, title] : kTargets)
    m_targets->addItem(QString::fromLatin1(title), QString::fromLatin1(target));
  m_targets->setCurrentIndex(std::max(0, m_targets->findData(m_session.target)));
  bar->addWidget(m_targets);
  m_optionsLabel = new QLabel(bar);
  m_optionsLabel->setProperty("muted", true);
  m_optionsLabel->setContentsMargins(12, 0, 0, 0);
  bar->addWidget(m_optionsLabel);
  auto *spacer = new QWidget(bar);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(spacer);
  auto *runButton = new QToolButton(bar);
  runButton->setDefaultAction(action(QStringLiteral("run")));
  runButton->setText(tr("Run"));
  runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addWidget(runButton);
  bar->QWidget::addAction(action(QStringLiteral("themeToggle")));
  action(QStringLiteral("palette"))->setIcon(themedIcon(QStringLiteral("command")));
  bar->QWidget::addAction(action(QStringLiteral("palette")));
  auto reselect = [this] {
    compiler::Selection selection = m_compile.selection();
    selection.kernel = m_kernels->currentText().toStdString();
    selection.target = m_targets->currentData().toString().toStdString();
    m_session.target = m_targets->currentData().toString();
    m_compile.setSelection(selection);
  };
  connect(m_kernels, &QComboBox::activated, this, reselect);
  connect(m_targets, &QComboBox::activated, this, reselect);
}

void MainWindow::zoom(int steps) {
  setFontZoom(fontZoom() + steps);
  m_session.fontZoom = fontZoom();
  m_saveTimer.start();
}

void MainWindow::goToLine() {
  if (!editor())
    return;
  bool ok = false;
  const int line = QInputDialog::getInt(this, tr("Go to line"), tr("Line"),
                                        static_cast<int>(editor()->cursor().line) + 1, 1,
                                        editor()->lines(), 1, &ok);
  if (ok)
    editor()->goTo({static_cast<uint32_t>(line - 1), 0});
}

void MainWindow::showAbout() {
  QMessageBox::about(
      this, tr("About Tilescope"),
      tr("<b>Tilescope</b><p>An IDE, compiler and profiler for block-level GPU kernels.</p>"
         "<p>Free software under the GNU General Public License, version 3 or later.</p>"));
}

} // namespace tilescope::app
