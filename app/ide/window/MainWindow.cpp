// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/MainWindow.h"

#include "app/ide/compile/HintController.h"
#include "app/ide/compile/OtherKernels.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/lesson/LessonController.h"
#include "app/ide/page/FirstPlace.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/run/RunWorker.h"
#include "app/ide/step/StepController.h"
#include "app/ide/window/Exports.h"
#include "app/ide/window/ImportWatch.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StatusFacts.h"
#include "app/launch/Programs.h"
#include "compiler/syntax/EditorServices.h"
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"
#include "views/meter/CompileMeter.h"
#include "views/palette/CommandPalette.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"
#include "views/stages/StageFacts.h"

#include <QKeyEvent>
#include <QStatusBar>
#include <QVBoxLayout>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::CompileResult;
using compiler::StageId;

/// A result that takes no longer than this is replaced before the user could have read it.
static constexpr int kStaleDelayMs = 250;

MainWindow::MainWindow(CompileBackend *backend, MainWindowOptions options, QWidget *parent)
    : WindowParts(parent), m_backend(backend), m_options(std::move(options)), m_compile(backend),
      m_editFollowUp(this, [this] { followEdit(); }), m_tabs(new FileTabs(this)),
      m_actions(this, [this] { m_editFollowUp.finish(); }), m_docks(new DockSet(this)),
      m_notice(new NoticeBar(this)), m_trouble(new NoticeBar(this)),
      m_refusal(new NoticeBar(this)) {
  setWindowTitle(QStringLiteral("Tilescope"));
  createSession();
  auto *files = new QWidget(this);
  auto *rows = new QVBoxLayout(files);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_trouble);
  rows->addWidget(m_refusal);
  rows->addWidget(m_notice);
  rows->addWidget(m_tabs, 1);
  setCentralWidget(files);
  m_palette = new CommandPalette(this);
  m_status = new StatusFacts(statusBar());
  if (!m_options.runs)
    m_options.runs = new RunWorker(workerProgram(), this);
  m_run = new RunController(m_options.runs, &m_compile, this);
  m_imports = new ImportWatch(this);
  m_others = new OtherKernels(m_backend, &m_compile, this);
  createDocks();
  createActions();
  acceptDrops();
  Exports *exports = createExports();
  connect(exports->notice(), &NoticeBar::answered, this, &MainWindow::goToEditor);
  rows->insertWidget(1, exports->notice());
  createToolBar();
  createMenus();
  createStartPage();
  connectState();
  useImportFolders();
  m_columns->restoreChoices(m_session.columnChoices);
  restoreAppearance();
}

MainWindow::~MainWindow() {
  // It writes what it has recorded, of what is still there.
  delete m_versions;
  // Docks and tabs disappear one by one while the window goes: nothing may ask then which are left.
  delete m_docks;
  m_tabs->disconnect(this);
  // It is hidden with the window, and would lead views that are gone.
  m_passes->disconnect(this);
}

/// A range of several lines, such as a whole function's, is marked by its first: a box around most
/// of the text shows nothing.
static std::vector<SourceRange> firstLines(std::vector<SourceRange> ranges) {
  for (SourceRange &range : ranges)
    if (range.end.line > range.begin.line)
      range.end = {range.begin.line + 1, 0};
  return ranges;
}

void MainWindow::connectState() {
  connect(&m_compile, &CompileController::started, &m_status->meter(), &CompileMeter::start);
  m_staleTimer.setObjectName(QStringLiteral("marking stages as stale"));
  m_staleTimer.setSingleShot(true);
  m_staleTimer.setInterval(kStaleDelayMs);
  connect(&m_compile, &CompileController::started, &m_staleTimer, qOverload<>(&QTimer::start));
  connect(&m_staleTimer, &QTimer::timeout, this, &MainWindow::markOutdated);
  connect(&m_compile, &CompileController::resultChanged, this, &MainWindow::showResult);
  connect(&m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &correlation, bool done) {
            if (done && showsResultOfPage())
              m_imports->setResult(*correlation->result(), m_compile.openTexts());
          });
  // Behind what else follows from the result that led to it.
  connect(
      m_imports, &ImportWatch::changed, this,
      [this] {
        if (showsResultOfPage())
          m_compile.takeImports();
      },
      Qt::QueuedConnection);
  connect(m_backend, &CompileBackend::unavailable, this, &MainWindow::reportError);
  connect(m_problems, &ProblemsView::placeRequested, this, &MainWindow::goTo);
  connect(m_problems, &ProblemsView::fixRequested, this, &MainWindow::applyFix);
  connect(m_problems, &ProblemsView::pictureRequested, this,
          [this](const QString &view, const SourceRange &range) {
            goTo(range);
            goToView(dock(view));
          });
  connect(&m_run->view()->form(), &RunFormView::fixRequested, this, &MainWindow::applyFix);
  connectPasses();
  connect(&m_compile, &CompileController::documentChanged, m_run, &RunController::setDocument);
  connect(&m_compile, &CompileController::subjectChanged, this, &MainWindow::showKept);
  connect(&m_compile, &CompileController::choiceChanged, this, [this] {
    m_status->showPending();
    m_kernelBar->showPending();
    m_columns->followComparisons(false);
  });
  connect(m_versions, &HistoryController::versionsChanged, this,
          [this] { m_columns->followComparisons(false); });
  // The choice for a file is kept like its text.
  connect(&m_compile, &CompileController::documentChanged, this, &MainWindow::scheduleSave);
  connect(m_status, &StatusFacts::assumptionsClicked, this,
          [this] { goToView(dock(QStringLiteral("run"))); });
  connect(m_others, &OtherKernels::changed, this, &MainWindow::refreshProblems);
  connect(m_hints, &HintController::changed, this, &MainWindow::refreshProblems);
  for (NoticeBar *notice : {m_notice, m_refusal})
    connect(notice, &NoticeBar::answered, this, &MainWindow::goToEditor);
  connectRuns();
  connectFocus();
  connectTabs();
}

void MainWindow::connectRuns() {
  // A user who had a block written goes on in the text.
  connect(&m_run->view()->form(), &views::RunFormView::createBlockRequested, this,
          &MainWindow::goToEditor);
  connect(m_run, &RunController::placeRequested, this, &MainWindow::goToPlace);
  connect(m_run, &RunController::busyChanged, m_problems, &views::ProblemsView::setRunning);
  connect(m_run, &RunController::machineTold, this,
          [this](const QString &words) { statusBar()->showMessage(words, 20000); });
  connect(m_run, &RunController::hostsChanged, this, [this] {
    m_session.runHosts = m_run->hosts();
    scheduleSave();
  });
  m_run->setHosts(m_session.runHosts);
  connect(m_run, &RunController::executorChanged, this, [this] {
    m_session.interpretsRuns = m_run->executor() == views::RunExecutor::Interpreter;
    scheduleSave();
  });
  m_run->setExecutor(m_session.interpretsRuns ? views::RunExecutor::Interpreter
                                              : views::RunExecutor::Native);
  connect(&m_run->history(), &RunHistory::endedElsewhere, this,
          [this](const QString &what) { statusBar()->showMessage(what, 6000); });
  connect(&m_run->history(), &RunHistory::findingsChanged, this, &MainWindow::refreshProblems);
  connect(&m_run->history(), &RunHistory::measured, m_lessons,
          [this](const RunDocument &document, const LaunchRunPointer &run, const RunPlace &place) {
            if (run->measurement)
              m_lessons->measureAt(place, document.text);
          });
  connect(m_run, &RunController::devicesFound, m_status, &StatusFacts::showGpus);
  connect(m_run, &RunController::runWanted, this, [this] {
    if (EditorPage *page = currentPage())
      page->markUndoStop();
  });
  connect(m_run, &RunController::sourceEdited, this, [this](const QString &text) {
    if (!editor())
      return;
    // The form shows again what the text says.
    if (refusesEdits())
      return m_run->setDocument(m_compile.document());
    m_versions->setStepping(true);
    editor()->replaceText(text);
    // The next field is written into this text.
    m_editFollowUp.finish();
    m_versions->setStepping(false);
  });
}

void MainWindow::connectFocus() {
  auto showFocus = [this](const Focus &focus) {
    if (!editor())
      return;
    const Focus &shown = focus.empty() ? m_focus.selected() : focus;
    editor()->setFocusRanges(firstLines(inEditor(shown.sources)));
  };
  connect(&m_focus, &FocusState::hoveredChanged, this, showFocus);
  connect(&m_focus, &FocusState::selectedChanged, this,
          [this, showFocus](const Focus &focus, const QObject *author) {
            showFocus(focus);
            const std::vector<SourceRange> places =
                author != this && editor() ? inEditor(focus.sources) : std::vector<SourceRange>();
            if (!places.empty())
              editor()->goTo(places.front().begin);
          });
}

void MainWindow::connectTabs() {
  connect(&m_tabs->awaited(), &AwaitedTabs::over, this, &MainWindow::endRestoring);
  connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::pageChanged);
  connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closePage);
}

KernelEditor *MainWindow::editor() const {
  EditorPage *page = currentPage();
  return page ? &page->editor() : nullptr;
}

/// Why nothing of a text needs to be compiled, which is not a mistake; empty: something does.
static QString whyNothing(const std::string &text, const compiler::ast::EditorDocument *read) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return MainWindow::tr("The file is empty: there is nothing to compile yet.");
  const bool hasOnlyComments = read && !read->tree().hasErrors() &&
                               read->tree().module->body.empty() &&
                               text.find("# ///") == std::string::npos;
  return hasOnlyComments
             ? MainWindow::tr("The file has only comments: there is nothing to compile yet.")
             : QString();
}

void MainWindow::requestCompile() {
  EditorPage *page = currentPage();
  if (!page || !page->whyNeverCompiled().isEmpty())
    return;
  std::string text = page->editor().utf8Text();
  const auto read = page->editor().document();
  const QString why = whyNothing(text, read.get());
  if (why.isEmpty())
    return m_compile.setText(page, {page->path(), std::move(text), page->editor().cursor(),
                                    read.get(), page->untitledName()});
  showUncompiled(why);
  m_compile.prepareChoice(page, {});
}

void MainWindow::passOpenTexts() {
  // Of a session that is being restored, all at once.
  if (!m_tabs->awaited().isOver())
    return;
  std::map<std::string, std::string> texts;
  for (EditorPage *page : m_tabs->pages())
    if (page != currentPage() && page->isModified() && page->compilesByItself() &&
        !page->path().isEmpty())
      texts[page->path().toStdString()] = page->editor().utf8Text();
  if (texts == m_compile.openTexts())
    return;
  m_compile.setOpenTexts(std::move(texts));
  if (showsResultOfPage())
    m_compile.takeImports();
}

void MainWindow::followEdit() {
  EditorPage *page = currentPage();
  if (!page || !page->compilesByItself())
    return;
  markBusy(page->id());
  requestCompile();
}

bool MainWindow::showsResultOfPage() const {
  const EditorPage *page = currentPage();
  return page && page == m_compile.file();
}

void MainWindow::followCursor(Position position) {
  // A search passes through places that nobody means; where it ends is followed then.
  if (showsResultOfPage() && !currentPage()->isSearching())
    m_compile.followCursor(position);
  m_focus.setSelected(focusAt(position), this);
}

/// On `tl` of `tl.load`, from which alone nothing was made, the whole is meant.
static Position behindModule(const compiler::ast::EditorDocument &document, Position position) {
  const std::string_view name = document.dottedNameAt(position);
  if (name.empty() || !document.index().imports.contains(name))
    return position;
  const std::string &source = document.tree().source;
  const size_t at = document.offsetOf(position);
  const size_t dot = source.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at);
  if (dot == std::string::npos || source[dot] != '.')
    return position;
  return {position.line, position.column + static_cast<uint32_t>(dot + 1 - at)};
}

Focus MainWindow::focusAt(Position position) const {
  const std::string text = editor()->utf8Text();
  if (const auto document = editor()->document())
    position = behindModule(*document, position);
  return showsResultOfPage() ? m_compile.places().focusAt(position, text)
                             : ShownPlaces().focusAt(position, text);
}

std::vector<SourceRange> MainWindow::inEditor(std::vector<SourceRange> places) const {
  return showsResultOfPage() && !places.empty()
             ? m_compile.places().inText(std::move(places), editor()->utf8Text())
             : places;
}

void MainWindow::showHoveredPlace(Position position) {
  const Focus focus = focusAt(position);
  const bool isOnSomething = !focus.sources.empty() && !focus.sources.front().empty();
  m_focus.setHovered(isOnSomething ? focus : Focus{}, this);
}

/// Of a small window, from the first line in sight.
static constexpr uint32_t kLinesWithKernel = 18;

void MainWindow::focusOnFirstLoad() {
  if (!editor())
    return;
  const std::string text = editor()->utf8Text();
  size_t at = std::string::npos;
  // In Python, MLIR and PTX.
  for (const char *load : {".load(", ".load %", ".global."})
    if (at == std::string::npos)
      at = text.find(load);
  if (at == std::string::npos)
    return;
  const auto line =
      static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
  const Position load{line, static_cast<uint32_t>(at - (text.rfind('\n', at) + 1) + 2)};
  const std::optional<FirstPlace> place = firstPlace(text);
  const bool isBelow =
      place && line >= place->kernel.line && line < place->firstLine + kLinesWithKernel;
  // With the kernel from its first line on, if there is room.
  editor()->restorePlace(load, isBelow ? std::optional(place->firstLine) : std::nullopt);
}

StageColumn *MainWindow::stageColumn(StageId stage) const { return m_columns->first(stage); }

void MainWindow::setThemeName(const QString &name) {
  m_session.theme = name;
  markTheme();
  // Asked before any theme of ours is applied: the platform's own palette says what the user
  // prefers.
  static const bool systemIsDark =
      QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  applyTheme(loadTheme(
      name.isEmpty() ? (systemIsDark ? QStringLiteral("dark") : QStringLiteral("light")) : name));
  scheduleSave();
}

void MainWindow::changeEvent(QEvent *event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::ActivationChange || !isActiveWindow())
    return;
  m_tabs->checkDisk();
  m_imports->check();
  m_run->history().checkReferences();
}

void MainWindow::showEvent(QShowEvent *event) {
  QMainWindow::showEvent(event);
  if (m_arranged)
    return;
  m_arranged = true;
  m_docks->restore(workspaceNamed(m_session.workspace), m_session.arrangements,
                   m_session.windowSize, m_session.rooms);
}

/// Escape, where nothing else has a use for it.
void MainWindow::keyPressEvent(QKeyEvent *event) {
  if (event->key() != Qt::Key_Escape || event->modifiers() != Qt::NoModifier || !currentPage())
    return QMainWindow::keyPressEvent(event);
  goToEditor();
}

void MainWindow::reportError(const QString &message) {
  m_status->showMessage(message);
  compiler::Diagnostic diagnostic;
  diagnostic.message = message.toStdString();
  m_problems->setDiagnostics({diagnostic}, {});
  Q_EMIT settled();
}

} // namespace tilescope::app
