// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Lessons: their dock, their commands, the learner's files, and texts that are only looked at.
#include "app/ide/files/FileDialogs.h"
#include "app/ide/lesson/LessonController.h"
#include "app/ide/lesson/LessonWorker.h"
#include "app/ide/page/FirstPlace.h"
#include "app/ide/window/LessonsMenu.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/Presentation.h"
#include "app/ide/window/ProgramSliders.h"
#include "app/launch/Programs.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/LayoutImage.h"
#include "views/lesson/LessonView.h"
#include "views/programs/ProgramsView.h"

#include <QDir>
#include <QFileInfo>
#include <QStatusBar>

namespace tilescope::app {

static constexpr int kSaidMs = 8000;

/// Answers are clicked in diagrams, and shown there.
static void connectQuestions(MainWindow &window, LessonQuestions &questions) {
  auto *sliders = new HeldSliders(&window);
  QObject::connect(&questions, &LessonQuestions::revealed, &window,
                   [&window, sliders](const QString &view, const std::vector<int64_t> &program,
                                      const std::optional<SourceRange> &place) {
                     // The keys stay where the learner is.
                     if (ViewDock *shown = window.dock(view)) {
                       shown->show();
                       shown->raise();
                       sliders->hold(*shown, programWishes(program, window.accessView()));
                     }
                     // In the text that was asked about, whatever is in front.
                     if (EditorPage *page = window.showLessonPage(); page && place)
                       page->editor().goTo(place->begin);
                   });
  views::LayoutDiagram *layout = window.layoutDiagram();
  QObject::connect(&layout->tensorCanvas(), &views::DiagramCanvas::cellPinned, &questions,
                   [layout, &questions](int64_t cell) {
                     const compiler::LayoutFacts *shown = layout->current();
                     if (!shown || cell < 0)
                       return;
                     std::vector<int64_t> element(shown->shape.size());
                     for (size_t dim = element.size(); dim-- > 0;) {
                       element[dim] = cell % shown->shape[dim];
                       cell /= shown->shape[dim];
                     }
                     questions.takeElement(element);
                   });
  views::ProgramsView *programs = window.programsView();
  QObject::connect(&programs->canvas(), &views::ArrayCanvas::placeChosen, &questions,
                   [programs, &questions](const views::ArrayPlace &place) {
                     const auto &arrays = programs->content().arrays;
                     if (arrays)
                       questions.takeElement(
                           compiler::access::indexOf(arrays->shape(place.array), place.element));
                   });
}

/// A text that meets all goals of the lesson on show is saved, as what was reached is.
static void keepSolved(const MainWindow &window, const std::string &text) {
  EditorPage *page = window.currentPage();
  LessonController *lessons = window.lessons();
  if (page && page->isModified() && lessons->shown() &&
      page->path() == lessons->shelf().pathFor(*lessons->shown()) &&
      page->editor().utf8Text() == text && !page->isDiskInTheWay())
    Q_EMIT page->saveRequested();
}

void MainWindow::createLessonDock() {
  if (!m_options.lessons)
    m_options.lessons = new LessonWorker(workerProgram(), this);
  m_lessons = new LessonController(LessonShelf(m_options.lessonsFolder, m_options.learnerFolder),
                                   m_options.lessons, this);
  m_lessons->setLayoutPainter(views::layoutImage);
  views::LessonView *view = m_lessons->view();
  addDock(QStringLiteral("lesson"), tr("Lesson"), view,
          QKeySequence(QStringLiteral("Ctrl+Shift+L")), view->header());
  connect(&m_compile, &CompileController::documentChanged, m_lessons,
          [this](const DocumentPointer &document) {
            // The solution, or a text of the language, is looked at beside the lesson: its goals and
            // questions stay those of the learner's text.
            const EditorPage *page = currentPage();
            if (page && page->isReference())
              return;
            const bool isLearners =
                page && m_lessons->shown() &&
                m_lessons->shelf().positionOf(page->path()) == m_lessons->shown();
            // A learner who empties the file is still at work on the lesson.
            if (!document && isLearners)
              m_lessons->setWithoutKernel();
            else
              m_lessons->setDocument(document);
          });
  connect(m_lessons, &LessonController::openRequested, this, [this](const QString &path) {
    if (openFile(path))
      goToEditor();
  });
  connect(m_lessons, &LessonController::startOverRequested, this, [this](const QString &text) {
    EditorPage *page = showLessonPage();
    if (!page)
      return;
    page->editor().replaceText(text);
    m_editFollowUp.finish();
    goToEditor();
    statusBar()->showMessage(tr("The lesson begins anew; undo brings your text back."), kSaidMs);
  });
  connect(m_lessons, &LessonController::solutionRequested, this,
          [this](const QString &path, const QString &text) {
            EditorPage *page = openReadOnly(path, text);
            // What a launch block states is known from the lesson.
            if (const auto place = firstPlace(page->editor().utf8Text()))
              page->editor().restorePlace(place->kernel, place->firstLine);
          });
  connect(m_lessons, &LessonController::placeRequested, this, [this](const SourceRange &range) {
    EditorPage *page = showLessonPage();
    if (!page)
      return;
    page->editor().goTo(range.begin);
    goToEditor();
  });
  connect(m_lessons, &LessonController::viewRequested, this, [this](const QString &view) {
    if (ViewDock *shown = dock(view))
      goToView(shown);
    else
      statusBar()->showMessage(tr("This lesson names a view that does not exist: %1").arg(view),
                               kSaidMs);
  });
  connect(m_lessons, &LessonController::solved, this,
          [this](const std::string &text) { keepSolved(*this, text); });
  connect(m_lessons, &LessonController::failed, this, &MainWindow::refuseFile);
  connectQuestions(*this, m_lessons->questions());
}

EditorPage *MainWindow::showLessonPage() {
  return m_lessons->shown() ? m_tabs->showPath(m_lessons->shelf().pathFor(*m_lessons->shown()))
                            : nullptr;
}

EditorPage *MainWindow::openReadOnly(const QString &path, const QString &text) {
  if (EditorPage *open = m_tabs->showPath(path)) {
    // Somebody may have typed into it, as in a file of the user's.
    if (!open->isReference() && isExample(path))
      open->showReadOnly(path, text);
    return open;
  }
  EditorPage *page = addPage();
  page->showReadOnly(path, text);
  return showPage(page);
}

void MainWindow::openLesson(size_t position) {
  if (position >= m_lessons->shelf().ids().size())
    return refuseFile(m_lessons->shelf().fault());
  if (dock(QStringLiteral("lesson"))->isHidden())
    showWorkspace(Workspace::Learn);
  m_lessons->open(position);
}

bool MainWindow::openTeaching(const QString &path) {
  if (isPresentScript(path.toStdString())) {
    m_presentation->open(QFileInfo(path).absoluteFilePath());
    return true;
  }
  if (!LessonShelf::isLesson(path))
    return false;
  if (const std::optional<size_t> lesson = m_lessons->openFrom(path))
    openLesson(*lesson);
  return true;
}

void MainWindow::presentLesson() {
  const QString folder = m_lessons->folder();
  const QString script = QDir(folder).filePath(QStringLiteral("present.toml"));
  if (!folder.isEmpty() && QFileInfo::exists(script))
    return m_presentation->open(script);
  statusBar()->showMessage(folder.isEmpty() ? tr("Open the lesson first.")
                                            : tr("This lesson has no script to present it with."),
                           kSaidMs);
}

void MainWindow::createLessonActions() {
  m_presentation = new Presentation(this, m_docks, m_actions);
  connect(m_presentation, &Presentation::zoomRequested, this, &MainWindow::zoom);
  m_lessonsMenu =
      new LessonsMenu(m_lessons, m_actions, [this](size_t lesson) { openLesson(lesson); }, this);
  m_actions.add(QStringLiteral("lesson.openFile"), tr("Open lesson…"), {}, [this] {
    const QStringList paths = askFilesToOpen({.window = this,
                                              .title = tr("Open lesson"),
                                              .place = QDir::homePath(),
                                              .kinds = tr("Lessons (*.zip lesson.toml)")});
    // A lesson that is a folder is chosen by its file.
    for (const QString &path : paths)
      openFile(path.endsWith(u"/lesson.toml") ? QFileInfo(path).path() : path);
  });
  m_actions.add(QStringLiteral("lesson.present"), tr("Present the lesson"), {},
                [this] { presentLesson(); });
  m_actions.add(QStringLiteral("lesson.next"), tr("Next lesson that is not solved"), {},
                [this] { openLesson(m_lessons->nextUnsolved()); });
  m_actions.add(QStringLiteral("lesson.startOver"), tr("Start the lesson over"), {},
                [this] { Q_EMIT m_lessons->view()->startOverRequested(); });
  m_actions.add(QStringLiteral("lesson.solution"), tr("Show a solution of the lesson"), {},
                [this] { Q_EMIT m_lessons->view()->solutionRequested(); });
}

} // namespace tilescope::app
