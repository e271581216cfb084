// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The views around the editor and how they are arranged.
#include "app/ide/DockTitle.h"
#include "app/ide/FocusOutline.h"
#include "app/ide/MainWindow.h"
#include "app/ide/MaximizedView.h"
#include "app/ide/RunController.h"
#include "views/console/ConsoleView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QApplication>
#include <QPointer>
#include <QTabBar>
#include <QTabWidget>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;

static constexpr StageId kColumns[] = {StageId::Ast,    StageId::Ttir, StageId::Ttgir,
                                       StageId::LlvmIr, StageId::Ptx,  StageId::Sass};

static QString stageDockId(StageId stage) {
  const std::string_view name = compiler::stageName(stage);
  return QStringLiteral("stage.") +
         QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

ViewDock *MainWindow::addDock(const QString &id, const QString &title, QWidget *widget,
                              const QKeySequence &shortcut) {
  auto *created = new ViewDock(id, title, widget, this);
  connect(created, &ViewDock::maximizeRequested, this,
          [this, created] { toggleMaximized(created); });
  addAction(QStringLiteral("view.") + id, tr("Go to %1").arg(title), shortcut,
            [this, created] { goToView(created); });
  QAction *shown = addAction(QStringLiteral("show.") + id, tr("Show or hide %1").arg(title), {},
                             [created] { created->setVisible(created->isHidden()); });
  shown->setCheckable(true);
  connect(created, &QDockWidget::visibilityChanged, this, [this, created, shown] {
    shown->setChecked(!created->isHidden());
    updateWantedStages();
  });
  const auto tidy = [this] { m_tidyTimer.start(0); };
  connect(created, &QDockWidget::visibilityChanged, this, tidy);
  connect(created, &QDockWidget::topLevelChanged, this, tidy);
  connect(created, &QDockWidget::dockLocationChanged, this, tidy);
  connect(created, &QDockWidget::windowTitleChanged, this, tidy);
  m_docks[id] = created;
  m_dockOrder << id;
  return created;
}

/// Qt decides anew about names and tab bars whenever docks move, one dock at a time.
void MainWindow::tidyDocks() {
  std::map<QString, QString> tips;
  for (const auto &[id, widget] : m_docks) {
    widget->title().showName();
    tips[widget->windowTitle()] = widget->title().toolTip();
  }
  for (QTabBar *bar : findChildren<QTabBar *>(Qt::FindDirectChildrenOnly)) {
    if (bar->drawBase())
      bar->setDrawBase(false);
    if (bar->elideMode() != Qt::ElideNone)
      bar->setElideMode(Qt::ElideNone);
    for (int i = 0; i < bar->count(); ++i)
      bar->setTabToolTip(i, tips[bar->tabText(i)]);
  }
  m_outline->place();
}

void MainWindow::toggleMaximized(QWidget *view) {
  const QPointer<QWidget> focus = QApplication::focusWidget();
  m_maximized->toggle(view);
  auto *dock = qobject_cast<ViewDock *>(view);
  if (focus && view->isAncestorOf(focus) && focus->isVisible())
    focus->setFocus();
  else if (dock)
    dock->focusView();
  else
    goToEditor();
}

ViewDock *MainWindow::focusedDock() const {
  for (const auto &[id, widget] : m_docks)
    if (widget->isAncestorOf(QApplication::focusWidget()))
      return widget;
  return nullptr;
}

void MainWindow::goToView(ViewDock *dock) {
  if (dock->isInFront() && focusedDock() == dock)
    return goToEditor();
  if (m_maximized->view() != dock)
    m_maximized->restore();
  dock->show();
  dock->raise();
  dock->focusView();
}

void MainWindow::goToEditor() {
  if (m_maximized->view() != centralWidget())
    m_maximized->restore();
  activateWindow();
  if (editor())
    editor()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::createDocks() {
  m_tidyTimer.setSingleShot(true);
  connect(&m_tidyTimer, &QTimer::timeout, this, &MainWindow::tidyDocks);
  setDockNestingEnabled(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  for (StageId stage : kColumns) {
    auto *column = new StageColumn(stage, &m_focus, this);
    m_columns[stage] = column;
    const std::string_view title = compiler::stageTitle(stage);
    const auto number =
        static_cast<int>(std::find(std::begin(kColumns), std::end(kColumns), stage) - kColumns) + 1;
    addDock(stageDockId(stage),
            QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), column,
            QKeySequence(QStringLiteral("Ctrl+%1").arg(number)));
  }
  m_layout = new LayoutDiagram(&m_focus, this);
  m_layout->setColoringName(m_session.layoutColoring);
  connect(m_layout, &LayoutDiagram::coloringChanged, this, [this] {
    m_session.layoutColoring = m_layout->coloringName();
    scheduleSave();
  });
  m_problems = new ProblemsView(this);
  m_passes = new PassesView(&m_focus, this);
  addDock(QStringLiteral("layout"), tr("Layout"), m_layout, QKeySequence(QStringLiteral("Ctrl+7")));
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
  arrangeDocks();
}

void MainWindow::arrangeDocks() {
  for (auto &[id, widget] : m_docks) {
    widget->setFloating(false);
    removeDockWidget(widget);
  }
  QDockWidget *ttir = dock(stageDockId(StageId::Ttir));
  QDockWidget *ttgir = dock(stageDockId(StageId::Ttgir));
  QDockWidget *ptx = dock(stageDockId(StageId::Ptx));
  QDockWidget *layout = dock(QStringLiteral("layout"));
  addDockWidget(Qt::RightDockWidgetArea, ttir);
  splitDockWidget(ttir, layout, Qt::Vertical);
  splitDockWidget(ttir, ttgir, Qt::Horizontal);
  splitDockWidget(ttgir, ptx, Qt::Horizontal);
  // Closed at first, each beside the column it comes after.
  tabifyDockWidget(ttir, dock(stageDockId(StageId::Ast)));
  tabifyDockWidget(ptx, dock(stageDockId(StageId::LlvmIr)));
  tabifyDockWidget(ptx, dock(stageDockId(StageId::Sass)));
  QDockWidget *problems = dock(QStringLiteral("problems"));
  addDockWidget(Qt::BottomDockWidgetArea, problems);
  tabifyDockWidget(problems, dock(QStringLiteral("passes")));
  tabifyDockWidget(problems, dock(QStringLiteral("run")));
  tabifyDockWidget(problems, dock(QStringLiteral("console")));
  for (auto &[id, widget] : m_docks)
    widget->show();
  for (StageId stage : {StageId::Ast})
    dock(stageDockId(stage))->hide();
  ptx->raise();
  ttir->raise();
  problems->raise();
}

void MainWindow::resizeDocksToDefault() {
  const int rest = width() - width() * 36 / 100;
  resizeDocks({dock(stageDockId(StageId::Ttir)), dock(stageDockId(StageId::Ttgir)),
               dock(stageDockId(StageId::Ptx))},
              {rest / 3, rest * 36 / 100, rest / 3}, Qt::Horizontal);
  resizeDocks({dock(stageDockId(StageId::Ttir)), dock(QStringLiteral("layout"))},
              {height() * 55 / 100, height() * 37 / 100}, Qt::Vertical);
  resizeDocks({dock(QStringLiteral("problems"))}, {height() * 32 / 100}, Qt::Vertical);
}

void MainWindow::restoreDefaultLayout() {
  m_maximized->restore();
  arrangeDocks();
  resizeDocksToDefault();
  goToEditor();
}

void MainWindow::updateWantedStages() {
  std::set<StageId> wanted;
  for (StageId stage : kColumns)
    if (QDockWidget *column = dock(stageDockId(stage)); column && !column->isHidden())
      wanted.insert(stage);
  m_compile.setWantedStages(wanted);
}

} // namespace tilescope::app
