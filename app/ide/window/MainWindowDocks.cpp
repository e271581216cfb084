// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The views around the editor and how they are arranged.
#include "app/ide/compile/AccessController.h"
#include "app/ide/compile/ConversionController.h"
#include "app/ide/compile/HintController.h"
#include "app/ide/compile/ProgramsController.h"
#include "app/ide/compile/SharedController.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/MainWindow.h"
#include "views/access/AccessView.h"
#include "views/console/ConsoleView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/programs/ProgramsView.h"
#include "views/run/RunView.h"
#include "views/shared/SharedView.h"
#include "views/stages/StageColumn.h"

#include <QApplication>
#include <QPointer>
#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;

/// Of the digits, those below go to the columns of stages, in order.
static constexpr int kFirstOtherKey = 7;

/// A stage is read-only: names the command that makes a copy to edit.
static void explainReadOnly(const MainWindow &window, StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  QString said = MainWindow::tr("%1 is read-only.")
                     .arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
  if (compiler::stageKind(stage).has(compiler::stage_trait::Document))
    said = MainWindow::tr("%1 Edit a copy: “%2” in the palette (%3)")
               .arg(said, window.action(forkAction(stage))->text(),
                    window.action(QStringLiteral("palette"))->shortcut().toString());
  window.statusBar()->showMessage(said, 6000);
}

void MainWindow::addDock(const QString &id, const QString &title, QWidget *view,
                         const QKeySequence &shortcut) {
  ViewDock *created = m_docks->add(id, title, view);
  m_actions.add(QStringLiteral("view.") + id, tr("Go to %1").arg(title), shortcut,
                [this, created] { goToView(created); });
  QAction *shown =
      m_actions.add(QStringLiteral("show.") + id, tr("Show or hide %1").arg(title), {}, [created] {
        created->setVisible(created->isHidden());
        // Of a place with tabs it is the one in front.
        if (!created->isHidden())
          created->raise();
      });
  shown->setCheckable(true);
  connect(created, &QDockWidget::visibilityChanged, shown,
          [created, shown] { shown->setChecked(!created->isHidden()); });
}

void MainWindow::toggleMaximized(QWidget *view) {
  const QPointer<QWidget> focus = QApplication::focusWidget();
  m_docks->maximized().toggle(view);
  auto *dock = qobject_cast<ViewDock *>(view);
  if (focus && view->isAncestorOf(focus) && focus->isVisible())
    focus->setFocus();
  else if (dock)
    dock->focusView();
  else
    goToEditor();
}

void MainWindow::goToView(ViewDock *dock) {
  if (m_docks->maximized().view() != dock)
    m_docks->maximized().restore();
  dock->show();
  dock->raise();
  dock->focusView();
}

void MainWindow::goToEditor() {
  if (m_docks->maximized().view() != centralWidget())
    m_docks->maximized().restore();
  activateWindow();
  if (editor())
    editor()->setFocus(Qt::ShortcutFocusReason);
}

/// To a place in the text that views show.
/// Where a place of the newest compile is in the text of now; nothing, where that is gone.
std::optional<SourceRange> MainWindow::placeNow(const SourceRange &range) const {
  if (range.file != 0 || !editor())
    return range;
  const std::vector<SourceRange> places = inEditor({range});
  return places.empty() ? std::nullopt : std::optional(places.front());
}

/// Nothing is selected: the next key must not replace what the user looks at.
void MainWindow::goToShown(const SourceRange &range) {
  if (const std::optional<SourceRange> place = placeNow(range))
    goTo({place->begin, place->begin, place->file});
}

/// The keyboard stays in the view that shows it.
void MainWindow::showPlace(const SourceRange &range) {
  const std::optional<SourceRange> place = placeNow(range);
  if (place && place->file == 0 && editor())
    editor()->goTo(place->begin);
}

/// What is not in sight is not worked on.
static void watchSight(QDockWidget *dock, PictureController *controller) {
  QObject::connect(dock, &QDockWidget::visibilityChanged, controller,
                   &PictureController::setInFront);
  // Qt does not say that a view comes into sight when it is taken out from behind others.
  QObject::connect(dock, &QDockWidget::topLevelChanged, controller, [controller](bool isFloating) {
    if (isFloating)
      controller->setInFront(true);
  });
}

void MainWindow::createAccessDock() {
  m_access = new AccessView(&m_focus, this);
  m_accesses = new AccessController(m_backend, &m_compile, m_access, this);
  addDock(QStringLiteral("access"), tr("Access"), m_access,
          QKeySequence(QStringLiteral("Ctrl+Shift+A")));
  watchSight(dock(QStringLiteral("access")), m_accesses);
  connect(m_access, &AccessView::placeRequested, this, &MainWindow::goToShown);
  connect(m_access, &AccessView::placeShown, this, &MainWindow::showPlace);
  connect(m_access, &AccessView::launchBlockRequested, this, [this] {
    m_run->writeSuggestedBlock();
    goToEditor();
  });
}

void MainWindow::createSharedDock() {
  m_shared = new SharedView(&m_focus, this);
  m_sharedMemory = new SharedController(m_backend, &m_compile, m_shared, this);
  addDock(QStringLiteral("shared"), tr("Shared memory"), m_shared,
          QKeySequence(QStringLiteral("Ctrl+Shift+M")));
  watchSight(dock(QStringLiteral("shared")), m_sharedMemory);
  connect(m_shared, &SharedView::placeRequested, this, &MainWindow::showPlace);
}

void MainWindow::createConversionDock() {
  m_conversion = new ConversionView(&m_focus, this);
  m_conversions = new ConversionController(m_backend, &m_compile, m_conversion, this);
  addDock(QStringLiteral("conversion"), tr("Conversion"), m_conversion,
          QKeySequence(QStringLiteral("Ctrl+Shift+C")));
  watchSight(dock(QStringLiteral("conversion")), m_conversions);
  connect(m_conversion, &ConversionView::placeRequested, this, &MainWindow::showPlace);
}

void MainWindow::createProgramsDock() {
  m_programs = new ProgramsView(&m_focus, this);
  m_programTraces = new ProgramsController(m_backend, &m_compile, m_programs, this);
  addDock(QStringLiteral("programs"), tr("Programs"), m_programs,
          QKeySequence(QStringLiteral("Ctrl+Shift+G")));
  watchSight(dock(QStringLiteral("programs")), m_programTraces);
  connect(m_programs, &ProgramsView::placeRequested, this, &MainWindow::showPlace);
  connect(m_programs, &ProgramsView::launchBlockRequested, this, [this] {
    m_run->writeSuggestedBlock();
    goToEditor();
  });
}

void MainWindow::createDocks() {
  connect(m_docks, &DockSet::maximizeRequested, this, &MainWindow::toggleMaximized);
  connect(m_docks, &DockSet::visibilityChanged, this, &MainWindow::updateWantedStages);
  int number = 0;
  for (StageId stage : compiler::stagesWith(compiler::stage_trait::Text)) {
    auto *column = new StageColumn(stage, &m_focus, this);
    connect(column, &StageColumn::typedInto, this,
            [this, stage] { explainReadOnly(*this, stage); });
    m_columns[stage] = column;
    const std::string_view title = compiler::stageTitle(stage);
    const QString key =
        ++number < kFirstOtherKey ? QStringLiteral("Ctrl+%1").arg(number) : QString();
    addDock(stageDockId(stage),
            QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), column,
            QKeySequence(key));
  }
  m_layout = new LayoutDiagram(&m_focus, this);
  m_layout->setColoringName(m_session.layoutColoring);
  connect(m_layout, &LayoutDiagram::coloringChanged, this, [this] {
    m_session.layoutColoring = m_layout->coloringName();
    scheduleSave();
  });
  m_problems = new ProblemsView(this);
  m_hints = new HintController(m_backend, &m_compile, this);
  m_passes = new PassesView(&m_focus, this);
  addDock(QStringLiteral("layout"), tr("Layout"), m_layout, QKeySequence(QStringLiteral("Ctrl+7")));
  createAccessDock();
  createSharedDock();
  createConversionDock();
  createProgramsDock();
  connect(&m_problems->model(), &QAbstractItemModel::modelReset, this, [this] {
    const int count = m_problems->model().count(compiler::Severity::Error) +
                      m_problems->model().count(compiler::Severity::Warning);
    dock(QStringLiteral("problems"))
        ->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
  });
  addDock(QStringLiteral("problems"), tr("Problems"), m_problems,
          QKeySequence(QStringLiteral("Ctrl+8")));
  addDock(QStringLiteral("passes"), tr("Passes"), m_passes, QKeySequence(QStringLiteral("Ctrl+9")));
  addDock(QStringLiteral("run"), tr("Run"), m_run->view(),
          QKeySequence(QStringLiteral("Ctrl+Shift+R")));
  addDock(QStringLiteral("console"), tr("Console"), m_run->console(),
          QKeySequence(QStringLiteral("Ctrl+Shift+U")));
  connect(dock(QStringLiteral("console")), &QDockWidget::visibilityChanged, m_run->console(),
          &views::ConsoleView::setInFront);
  connect(m_run->console(), &views::ConsoleView::unseenChanged, this, [this](int count) {
    dock(QStringLiteral("console"))
        ->setWindowTitle(count > 0 ? tr("Console (%1)").arg(count) : tr("Console"));
  });
  m_docks->arrange();
}

void MainWindow::restoreDefaultLayout() {
  m_docks->arrange();
  m_docks->resizeToDefault();
  goToEditor();
}

void MainWindow::updateWantedStages() {
  std::set<StageId> wanted;
  for (StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (QDockWidget *column = dock(stageDockId(stage)); column && !column->isHidden())
      wanted.insert(stage);
  m_compile.setWantedStages(wanted);
}

} // namespace tilescope::app
