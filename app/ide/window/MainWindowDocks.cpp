// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The views around the editor and how they are arranged.
#include "app/ide/compile/AccessController.h"
#include "app/ide/compile/ConversionController.h"
#include "app/ide/compile/HintController.h"
#include "app/ide/compile/OtherKernels.h"
#include "app/ide/compile/PassFollower.h"
#include "app/ide/compile/PipelineController.h"
#include "app/ide/compile/ProgramsController.h"
#include "app/ide/compile/RegistersController.h"
#include "app/ide/compile/SharedController.h"
#include "app/ide/compile/SideCompiles.h"
#include "app/ide/docks/Arrangement.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/model/ModelController.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/sweep/SweepController.h"
#include "app/ide/window/Exports.h"
#include "app/ide/window/HintPictures.h"
#include "app/ide/window/HoverRest.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "views/access/AccessView.h"
#include "views/common/Theme.h"
#include "views/console/ConsoleView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/passes/PassesView.h"
#include "views/pipeline/PipelineView.h"
#include "views/problems/ProblemsView.h"
#include "views/profile/ProfileView.h"
#include "views/programs/ProgramsView.h"
#include "views/registers/RegistersView.h"
#include "views/run/RunView.h"
#include "views/shared/SharedView.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"
#include "views/sweep/SweepView.h"
#include "views/trace/TraceView.h"

#include <QApplication>
#include <QLocale>
#include <QPointer>
#include <QStatusBar>
#include <QTimer>

#include <algorithm>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;

/// How long a sentence stays in the status bar.
static constexpr int kSaidMs = 6000;

void MainWindow::addDock(const QString &id, const QString &title, QWidget *view,
                         const QKeySequence &shortcut, QWidget *header) {
  ViewDock *created = m_docks->add(id, title, view, header);
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
  m_docks->maximized().makeRoomFor(dock);
  dock->show();
  dock->raise();
  dock->focusView();
}

void MainWindow::goToEditor() {
  m_docks->maximized().makeRoomFor(centralWidget());
  activateWindow();
  if (editor())
    editor()->setFocus(Qt::ShortcutFocusReason);
}

/// Where a place of the newest compile is in the text of now; nothing, where that is gone.
std::optional<SourceRange> MainWindow::placeNow(const SourceRange &range) const {
  if (range.file != 0 || !editor())
    return range;
  const std::vector<SourceRange> places = inEditor({range});
  return places.empty() ? std::nullopt : std::optional(places.front());
}

/// To a place in the text that views show.
void MainWindow::goToShown(const SourceRange &range) {
  if (const std::optional<SourceRange> place = placeNow(range))
    goTo(*place);
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

void MainWindow::addPicture(const QString &id, const QString &title, const QKeySequence &key,
                            PictureView *view, PictureController *controller) {
  addDock(id, title, view, key, view->header());
  m_pictures.push_back(controller);
  watchSight(dock(id), controller);
  connect(view, &PictureView::placeRequested, this, &MainWindow::goToShown);
  connect(view, &PictureView::placeShown, this, &MainWindow::showPlace);
  connect(view, &PictureView::launchBlockRequested, this, [this] {
    m_run->writeSuggestedBlock();
    goToEditor();
  });
}

void MainWindow::createPictures() {
  m_access = new AccessView(&m_focus, this);
  addPicture(QStringLiteral("access"), tr("Access"), QKeySequence(QStringLiteral("Ctrl+Shift+A")),
             m_access, new AccessController(m_backend, &m_compile, m_access, this));
  m_shared = new SharedView(&m_focus, this);
  m_sharedFacts = new SharedController(m_backend, &m_compile, m_shared, this);
  addPicture(QStringLiteral("shared"), tr("Shared memory"),
             QKeySequence(QStringLiteral("Ctrl+Shift+M")), m_shared, m_sharedFacts);
  m_pipeline = new PipelineView(&m_focus, this);
  addPicture(QStringLiteral("pipeline"), tr("Pipeline"),
             QKeySequence(QStringLiteral("Ctrl+Shift+I")), m_pipeline,
             new PipelineController(m_backend, &m_compile, m_pipeline, this));
  m_conversion = new ConversionView(&m_focus, this);
  addPicture(QStringLiteral("conversion"), tr("Conversion"),
             QKeySequence(QStringLiteral("Ctrl+Shift+C")), m_conversion,
             new ConversionController(m_backend, &m_compile, m_conversion, this));
  m_programs = new ProgramsView(&m_focus, this);
  addPicture(QStringLiteral("programs"), tr("Programs"),
             QKeySequence(QStringLiteral("Ctrl+Shift+G")), m_programs,
             new ProgramsController(m_backend, &m_compile, m_programs, this));
  m_registers = new RegistersView(&m_focus, this);
  addPicture(QStringLiteral("registers"), tr("Registers"),
             QKeySequence(QStringLiteral("Ctrl+Shift+Y")), m_registers,
             new RegistersController(m_backend, &m_compile, m_registers, this));
}

Exports *MainWindow::createExports() {
  auto *exports = new Exports(&m_compile, m_run, m_profiles, m_actions, this);
  // It is drawn where the view is open and has something to show.
  const QString open = tr("There is nothing to export: the %1 view shows no picture now");
  exports->add(QStringLiteral("Layout"), tr("layout diagram"),
               tr("There is no layout diagram to export yet"), m_layout);
  exports->add(QStringLiteral("Access"), tr("access picture"), open.arg(tr("Access")), m_access);
  exports->add(QStringLiteral("Shared"), tr("shared memory picture"), open.arg(tr("Shared memory")),
               m_shared);
  exports->add(QStringLiteral("Pipeline"), tr("pipeline picture"), open.arg(tr("Pipeline")),
               m_pipeline);
  exports->add(QStringLiteral("Conversion"), tr("conversion picture"), open.arg(tr("Conversion")),
               m_conversion);
  exports->add(QStringLiteral("Programs"), tr("programs picture"), open.arg(tr("Programs")),
               m_programs);
  exports->add(QStringLiteral("Registers"), tr("registers picture"), open.arg(tr("Registers")),
               m_registers);
  exports->add(QStringLiteral("Profile"), tr("profile"),
               tr("There is no profile to export: profile the kernel or open a profile first"),
               m_profiles->view());
  exports->add(
      QStringLiteral("Sweep"), tr("picture of the sweep"),
      tr("There is no picture of a sweep to export: sweep the kernel or open a sweep first"),
      m_sweeps->view());
  exports->add(QStringLiteral("Model"), tr("picture of the model"),
               tr("Nothing to export: open a model and choose Graph, Memory or Time"),
               m_models->view(), [view = m_models->view()] {
                 switch (view->form()) {
                 case views::ModelView::Memory:
                   return QStringLiteral("memory");
                 case views::ModelView::Time:
                   return QStringLiteral("time");
                 default:
                   return QStringLiteral("graph");
                 }
               });
  exports->add(QStringLiteral("Trace"), tr("trace"),
               tr("There is no trace to export: profile the kernel with a trace first"), m_trace);
  exports->add(QStringLiteral("Step"), tr("picture of the stepped value"),
               tr("Choose a value in the Step view first: there is nothing to export yet"),
               m_steps->view());
  return exports;
}

void MainWindow::createColumns() {
  auto *side = new SideCompiles(m_backend, &m_compile, this);
  connect(side, &SideCompiles::busyChanged, m_others, &OtherKernels::setHeld);
  m_run->setSideCompiles(side);
  m_follower = new PassFollower(side, &m_compile, this);
  m_columns =
      new StageColumns({this, &m_compile, side, &m_focus, m_docks, &m_actions,
                        [this](const DockedView &column) {
                          addDock(column.id, column.title, column.view, column.key, column.header);
                        },
                        [this] { return m_versions; }},
                       this);
  connect(m_run, &RunController::remarked, this,
          [this](const QString &what) { statusBar()->showMessage(what, kSaidMs); });
  connect(m_columns, &StageColumns::said, this,
          [this](const QString &what) { statusBar()->showMessage(what, kSaidMs); });
  connect(m_columns, &StageColumns::choiceChanged, this, &MainWindow::scheduleSave);
  connect(m_columns, &StageColumns::opened, this, [this](ViewDock *dock, StageColumn *column) {
    updateWantedStages();
    goToView(dock);
    // At the cursor's line, as the others are, once it has its size.
    QTimer::singleShot(0, column, &StageColumn::align);
    scheduleSave();
  });
  connect(new HoverRest(&m_focus, this), &HoverRest::rested, this, &MainWindow::revealHovered);
  m_columns->create(m_session.columns);
}

/// Pictures point at so many places that nothing would stand still.
void MainWindow::revealHovered(const QObject *author) {
  if (author != this && author != m_passes && !m_columns->has(author))
    return;
  for (auto &[stage, column] : m_columns->all())
    if (column != author && column->isVisible())
      column->align();
  if (author == this || !editor())
    return;
  if (const auto places = inEditor(m_focus.hovered().sources); !places.empty())
    editor()->revealLine(places.front().begin.line);
}

/// Under a hint in the list stands what the view that it names shows of it.
void MainWindow::showHintPictures() {
  auto *pictures = new HintPictures(m_backend, &m_compile, this);
  ProblemsModel *model = &m_problems->model();
  model->setHintImages([pictures](const compiler::Hint &hint) { return pictures->picture(hint); });
  connect(pictures, &HintPictures::changed, model, &ProblemsModel::updateHintImages);
  connect(m_hints, &HintController::changed, pictures, [this, pictures] {
    if (editor())
      pictures->setHints(m_hints->hints(editor()->utf8Text()));
  });
  connect(dock(QStringLiteral("problems")), &QDockWidget::visibilityChanged, pictures,
          &HintPictures::setWanted);
}

void MainWindow::createDocks() {
  connect(m_docks, &DockSet::maximizeRequested, this, &MainWindow::toggleMaximized);
  connect(m_docks, &DockSet::visibilityChanged, this, &MainWindow::updateWantedStages);
  createColumns();
  m_layout = new LayoutDiagram(&m_focus, this);
  m_layout->setColoringName(m_session.layoutColoring);
  connect(m_layout, &LayoutDiagram::coloringChanged, this, [this] {
    m_session.layoutColoring = m_layout->coloringName();
    scheduleSave();
  });
  m_problems = new ProblemsView(this);
  m_hints = new HintController(m_backend, &m_compile, this);
  m_passes = new PassesView(&m_focus, this);
  addDock(QStringLiteral("layout"), tr("Layout"), m_layout, QKeySequence(QStringLiteral("Ctrl+7")),
          m_layout->header());
  createPictures();
  connect(&m_problems->model(), &QAbstractItemModel::modelReset, this, [this] {
    const int count = m_problems->model().count(compiler::Severity::Error) +
                      m_problems->model().count(compiler::Severity::Warning);
    dock(QStringLiteral("problems"))
        ->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
  });
  addDock(QStringLiteral("problems"), tr("Problems"), m_problems,
          QKeySequence(QStringLiteral("Ctrl+8")), m_problems->header());
  showHintPictures();
  addDock(QStringLiteral("passes"), tr("Passes"), m_passes, QKeySequence(QStringLiteral("Ctrl+9")),
          m_passes->header());
  addDock(QStringLiteral("run"), tr("Run"), m_run->view(),
          QKeySequence(QStringLiteral("Ctrl+Shift+R")));
  createProfileDock();
  createSweepDock();
  createModelDock();
  createTraceDock();
  createStepDock();
  createHistoryDock();
  createLessonDock();
  addDock(QStringLiteral("console"), tr("Console"), m_run->console(),
          QKeySequence(QStringLiteral("Ctrl+Shift+U")));
  connect(dock(QStringLiteral("console")), &QDockWidget::visibilityChanged, m_run->console(),
          &views::ConsoleView::setInFront);
  connect(m_run->console(), &views::ConsoleView::unseenChanged, this, [this](int count) {
    dock(QStringLiteral("console"))
        ->setWindowTitle(count > 0
                             ? tr("Console (%1)").arg(QLocale(QLocale::English).toString(count))
                             : tr("Console"));
  });
  m_docks->arrange();
}

void MainWindow::restoreDefaultLayout() {
  m_docks->arrange();
  m_docks->resizeToDefault();
  goToEditor();
}

void MainWindow::showWorkspace(Workspace workspace) {
  const bool isNew =
      !m_docks->arrangements().contains(QString::fromLatin1(workspaceKind(workspace).name));
  if (!m_docks->showWorkspace(workspace))
    goToEditor();
  // Where there is a profile already, measuring begins with it and not with the form.
  if (isNew && workspace == Workspace::Measure && m_profiles->shown())
    dock(QStringLiteral("profile"))->raise();
  scheduleSave();
}

void MainWindow::splitRight() {
  ViewDock *front = m_docks->focused();
  const auto isColumn = [](const ViewDock *dock) {
    return dock->objectName().startsWith(u"stage.") && !dock->isFloating();
  };
  // From elsewhere, the last column is split.
  if (!front || !isColumn(front)) {
    front = nullptr;
    for (ViewDock *dock : m_docks->inFront())
      if (isColumn(dock))
        front = dock;
  }
  if (!front || !m_docks->splitRight(front))
    statusBar()->showMessage(tr("Each stage of this place has a column of its own already."), 4000);
}

void MainWindow::updateWantedStages() {
  std::set<StageId> wanted = m_columns->wantedStages();
  if (const ViewDock *registers = m_docks->find(QStringLiteral("registers"));
      registers && registers->isInFront())
    wanted.insert({StageId::Ptx, StageId::Sass});
  // What versions of the kernel are told apart by.
  wanted.insert({StageId::Ttgir, StageId::Ptx, StageId::Assembly});
  // Its columns are read from the bits of the machine code.
  if (wanted.contains(StageId::Sass))
    wanted.insert(StageId::Cubin);
  m_compile.setWantedStages(wanted);
}

} // namespace tilescope::app
