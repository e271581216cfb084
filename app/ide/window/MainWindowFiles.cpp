// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Files of the window: opening, saving, closing.
#include "app/document/ForkStage.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/lesson/LessonController.h"
#include "app/ide/page/Definitions.h"
#include "app/ide/page/FirstPlace.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/sweep/SweepController.h"
#include "app/ide/window/EditorMenu.h"
#include "app/ide/window/LoadFile.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/UnusedPath.h"
#include "app/launch/TritonCache.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/stages/StageColumn.h"

#include <QCheckBox>
#include <QDir>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QStatusBar>
#include <QTimer>

#include <algorithm>

namespace tilescope::app {

using views::KernelEditor;

static constexpr const char *kFileKinds = QT_TRANSLATE_NOOP(
    "MainWindow", "Kernels and IR (*.py *.ttir *.ttgir *.mlir *.ll *.llir *.ptx);;"
                  "All files (*)");

static constexpr const char *kOpenedKinds = QT_TRANSLATE_NOOP(
    "MainWindow",
    "Kernels, IR and models (*.py *.ttir *.ttgir *.mlir *.ll *.llir *.ptx *.onnx *.pt2);;"
    "Reports and recordings (*.html *.json *.csv *.ncu-rep *.hatchet *.ndjson);;"
    "All files (*)");

QString MainWindow::folderForDialog(const EditorPage *page) const {
  QStringList files = m_session.recentFiles;
  if (page && !page->path().isEmpty())
    files.prepend(page->path());
  for (const QString &file : files)
    if (const QDir folder = QFileInfo(file).dir(); folder.exists() && !isExample(file))
      return folder.absolutePath();
  return QDir::homePath();
}

/// A new file, like a copy of an example, belongs where the program was started.
QString MainWindow::folderToSave(const EditorPage *page) const {
  const QDir started = QDir::current();
  const bool isNew = page->path().isEmpty() || isExample(page->path());
  const bool fits = !started.isRoot() && QFileInfo(started.path()).isWritable() &&
                    !isExample(started.filePath(QStringLiteral("new")));
  return isNew && fits ? started.absolutePath() : folderForDialog(page);
}

bool MainWindow::isExample(const QString &path) const {
  const QString folder = QFileInfo(QFileInfo(path).path()).canonicalFilePath();
  const auto isOwn = [&](const QString &own) {
    const QString root = own.isEmpty() ? own : QFileInfo(own).canonicalFilePath();
    return !root.isEmpty() && (folder == root || folder.startsWith(root + u'/'));
  };
  return isOwn(m_options.examplesFolder) || isOwn(m_options.lessonsFolder);
}

void MainWindow::chooseFiles() {
  for (const QString &path :
       askFilesToOpen({this, tr("Open"), folderForDialog(currentPage()), tr(kOpenedKinds)}))
    openFile(path);
}

void MainWindow::chooseCache() {
  // Of kernels, of a lesson, or of Triton's cache.
  const QString folder = askFolder({this, tr("Open folder"), folderForDialog(currentPage()), {}});
  if (!folder.isEmpty())
    openFile(folder);
}

void MainWindow::chooseImportFolders() {
  bool ok = false;
  const QString text = QInputDialog::getMultiLineText(
      this, tr("Import folders"),
      tr("Folders in which imported kernels are looked up, one on each line:"),
      m_session.importFolders.join(u'\n'), &ok);
  if (!ok)
    return;
  m_session.importFolders.clear();
  for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts))
    if (!line.trimmed().isEmpty())
      m_session.importFolders << QDir::cleanPath(line.trimmed());
  useImportFolders();
  scheduleSave();
}

void MainWindow::useImportFolders() {
  std::vector<std::string> folders;
  for (const QString &folder : m_session.importFolders)
    folders.push_back(folder.toStdString());
  m_compile.setImportFolders(folders);
}

/// The first number that no text without a file has.
static int freeNumber(const std::vector<EditorPage *> &pages) {
  for (int number = 1;; ++number)
    if (std::ranges::none_of(pages, [&](const EditorPage *page) {
          return page->path().isEmpty() && page->untitledNumber() == number;
        }))
      return number;
}

EditorPage *MainWindow::addPage() {
  m_tabs->awaited().finish();
  auto *page = new EditorPage(this);
  page->setUntitledNumber(freeNumber(m_tabs->pages()));
  KernelEditor &editor = page->editor();
  editor.setHintsVisible(m_session.hintsVisible);
  connect(page, &EditorPage::titleChanged, this, &MainWindow::updateTitles);
  connect(page, &EditorPage::reread, this, [this, page] {
    if (page == currentPage())
      pageChanged();
  });
  connect(page, &EditorPage::titleChanged, this, &MainWindow::passOpenTexts);
  connect(page, &EditorPage::leaving, this, [this] { m_history.leave(currentPlace()); });
  connect(page, &EditorPage::recorded, m_keeper, &SessionKeeper::scheduleText);
  connect(page, &EditorPage::saveRequested, this, [this, page] { savePage(page, false); });
  connect(&editor, &KernelEditor::edited, this, [this, page] {
    if (page != currentPage())
      return passOpenTexts();
    // The request belongs to the text before.
    if (!page->compilesByItself())
      return showsResultOfPage() ? markOutdated() : void();
    markBusy(page->id());
    m_editFollowUp.request();
  });
  connect(&editor, &KernelEditor::cursorMoved, this, [this, page](Position position) {
    if (page == currentPage())
      followCursor(position);
    scheduleSave();
  });
  connect(editor.verticalScrollBar(), &QScrollBar::valueChanged, this, &MainWindow::scheduleSave);
  connect(&editor, &KernelEditor::breakpointsChanged, this, &MainWindow::scheduleSave);
  connect(&editor, &KernelEditor::diagnosticsReleased, this, [this, page] {
    if (page == currentPage())
      showProblems();
  });
  connect(&editor, &KernelEditor::pointed, this, &MainWindow::showHoveredPlace);
  connect(&editor, &KernelEditor::pointerLeft, this, [this] { m_focus.setHovered({}, this); });
  connect(&editor, &KernelEditor::definitionRequested, this, &MainWindow::goToDefinition);
  connect(&editor, &KernelEditor::menuRequested, this, [this, page](QPoint place) {
    if (page == currentPage())
      showEditorMenu(page->editor(), m_actions, definitionAt(page->editor().cursor()).has_value(),
                     place);
  });
  return page;
}

EditorPage *MainWindow::showPage(EditorPage *page) {
  forgetRefusal();
  m_tabs->add(page);
  updateTitles();
  page->editor().setFocus();
  scheduleSave();
  return page;
}

EditorPage *MainWindow::newFile() {
  EditorPage *page = addPage();
  page->begin({}, "import triton\nimport triton.language as tl\n\n\n"
                  "@triton.jit\ndef kernel(x_ptr, n, BLOCK: tl.constexpr):\n    pass\n");
  showPage(page);
  // Typed text replaces `pass`.
  page->editor().selectRange({{6, 4}, {6, 8}, 0});
  return page;
}

/// It was about a file that the user has left behind.
void MainWindow::forgetRefusal() {
  if (!m_isRefusalNew)
    m_refusal->hide();
}

QString unusedPath(const QDir &folder, const QString &name, const QString &ending,
                   const std::vector<EditorPage *> &pages) {
  for (int number = 1;; ++number) {
    const QString numbered = number == 1 ? name : QStringLiteral("%1-%2").arg(name).arg(number);
    const QString path = folder.absoluteFilePath(numbered + u'.' + ending);
    const bool isOpen = std::any_of(pages.begin(), pages.end(),
                                    [&](const EditorPage *page) { return page->path() == path; });
    const QFileInfo taken(path);
    if (!isOpen && !taken.exists() && !taken.isSymLink())
      return path;
  }
}

EditorPage *MainWindow::forkStage(compiler::StageId stage) {
  const ResultPointer result = m_compile.latest() ? m_compile.latest()->result() : nullptr;
  const compiler::Stage *made = result ? result->stage(stage) : nullptr;
  const DocumentPointer document = m_compile.document();
  if (!made || made->text.empty() || !m_compile.isCurrent()) {
    statusBar()->showMessage(tr("Open the stage's column first: there is nothing to copy yet"),
                             4000);
    return nullptr;
  }
  const std::string_view ending = compiler::stageName(stage);
  const QString path = unusedPath(
      QFileInfo(currentPage()->path()).dir(), fileNameOf(QString::fromStdString(result->kernel)),
      QString::fromUtf8(ending.data(), static_cast<qsizetype>(ending.size())), m_tabs->pages());
  EditorPage *page = addPage();
  page->begin(path, forkText(*document, *result, stage));
  if (stage == compiler::StageId::Ttir)
    m_compile.prepareChoice(page, forkChoice(*document, *result));
  return showPage(page);
}

/// What may be a part of a sweep's results, by its name.
static bool isSweepFile(const QFileInfo &file) {
  static const QSet<QString> kNames{QStringLiteral("points.jsonl"), QStringLiteral("points.csv"),
                                    QStringLiteral("report.html")};
  return file.isDir() || kNames.contains(file.fileName());
}

EditorPage *MainWindow::openFile(const QString &path) {
  // Behind a view that has the window for itself, the file would not be seen.
  m_docks->maximized().makeRoomFor(centralWidget());
  if (openTeaching(path) || openModel(path))
    return currentPage();
  if (const QFileInfo file(path); isSweepFile(file) && openSweep(path))
    return currentPage();
  if (QFileInfo(path).isDir())
    return openCache(path);
  const QString absolute = QFileInfo(path).absoluteFilePath();
  if (EditorPage *open = m_tabs->showPath(absolute))
    return open;
  if (const std::optional<EditorPage *> recorded = openRecording(absolute))
    return *recorded;
  EditorPage *page = addPage();
  markBusy(page->id());
  const QString error = loadFile(*page, absolute);
  if (!error.isEmpty()) {
    delete page;
    refuseFile(error);
    return nullptr;
  }
  m_session.addRecent(absolute);
  if (const auto place = firstPlace(page->editor().utf8Text()))
    page->editor().restorePlace(place->kernel, place->firstLine);
  return showPage(page);
}

EditorPage *MainWindow::openOrBegin(const QString &path) {
  const QFileInfo file(path);
  if (file.exists() || file.isSymLink() || LessonShelf::isLesson(path) || !file.dir().exists() ||
      m_tabs->showPath(path))
    return openFile(path);
  EditorPage *page = addPage();
  page->begin(file.absoluteFilePath(), {});
  return showPage(page);
}

/// What is wrong with the open files stays in Problems.
void MainWindow::refuseFile(const QString &why) {
  // Of several files that are opened together, all are named.
  m_isRefusalNew = true;
  QTimer::singleShot(0, this, [this] { m_isRefusalNew = false; });
  m_refusal->present(m_refusal->isHidden() ? why : m_refusal->text() + u'\n' + why,
                     {{NoticeBar::hideText(), {}}}, NoticeBar::Stay::UntilTyped);
  Q_EMIT settled();
}

EditorPage *MainWindow::openCache(const QString &folder) {
  std::map<QString, QString> files;
  for (const CachedKernel &kernel : cachedKernels(folder.toStdString()))
    if (const std::string file = kernel.entryFile(); !file.empty())
      files[QString::fromStdString(kernel.name)] = QString::fromStdString(file);
  if (files.empty()) {
    if (const std::optional<EditorPage *> opened = openPythonFiles(folder))
      return *opened;
    refuseFile(tr("`%1` is a folder without kernels: it has no `.py`, `.ttir`, `.ttgir`, `.llir` "
                  "or `.ptx` file.")
                   .arg(QDir::toNativeSeparators(folder)));
    return nullptr;
  }
  QString chosen = files.begin()->first;
  if (files.size() > 1) {
    QStringList names;
    for (const auto &[name, file] : files)
      names << name;
    bool ok = false;
    chosen = QInputDialog::getItem(this, tr("Open from Triton's cache"),
                                   tr("The folder has %1 kernels:").arg(names.size()), names, 0,
                                   false, &ok);
    if (!ok)
      return nullptr;
  }
  return openFile(files[chosen]);
}

/// The ending that a page's file has when none is typed.
static QString endingFor(const EditorPage &page) {
  const QString ending = QFileInfo(page.path()).suffix();
  return ending.isEmpty() ? QStringLiteral("py") : ending;
}

/// Standard buttons have no keys of their own here.
static QMessageBox::StandardButton askAboutChanges(QWidget *window, const QString &title) {
  QMessageBox box(QMessageBox::Question, MainWindow::tr("Close"),
                  MainWindow::tr("Save the changes to %1?").arg(title),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window);
  box.button(QMessageBox::Save)->setText(MainWindow::tr("&Save"));
  box.button(QMessageBox::Discard)->setText(MainWindow::tr("&Discard"));
  box.button(QMessageBox::Cancel)->setText(MainWindow::tr("&Cancel"));
  return static_cast<QMessageBox::StandardButton>(box.exec());
}

/// Says why nothing was saved; returns whether to try another file.
static bool offerSaveAs(QWidget *window, const QString &why) {
  QMessageBox box(QMessageBox::Warning, MainWindow::tr("Not saved"), why, QMessageBox::Cancel,
                  window);
  auto *saveAs = box.addButton(MainWindow::tr("Save &as…"), QMessageBox::AcceptRole);
  box.button(QMessageBox::Cancel)->setText(MainWindow::tr("&Cancel"));
  box.setDefaultButton(saveAs);
  box.exec();
  return box.clickedButton() == saveAs;
}

bool MainWindow::savePage(EditorPage *page, bool askPath) {
  if (page->isReadOnly())
    return true;
  m_tabs->awaited().finish();
  QString path = page->path();
  // An example is there for the next one who opens it.
  if (askPath || path.isEmpty() || isExample(path)) {
    const QString name = path.isEmpty() ? page->title() : QFileInfo(path).fileName();
    path = askFileToSave({this, tr("Save as"), QDir(folderToSave(page)).filePath(name),
                          tr(kFileKinds), endingFor(*page)});
  }
  if (path.isEmpty())
    return false;
  if (path == page->path() && page->isDiskInTheWay()) {
    m_tabs->setCurrentWidget(page);
    statusBar()->showMessage(tr("Not saved: first choose what to do about the other changes"),
                             6000);
    return false;
  }
  const auto notSaved = [&](const QString &why) {
    return offerSaveAs(this, why) && savePage(page, true);
  };
  for (const EditorPage *other : m_tabs->pages())
    if (other != page && other->path() == path)
      return notSaved(tr("`%1` is open in another tab.").arg(path));
  // Saving waits for the disk; what was typed before must not.
  m_keeper->writeNow();
  if (const QString error = page->save(path); !error.isEmpty())
    return notSaved(error);
  m_run->guesses().settle(page, page->editor().utf8Text());
  m_session.addRecent(path);
  m_versions->followName(page);
  forgetRefusal();
  // The name affects imports and the names in results.
  if (page == currentPage() && page->compilesByItself())
    requestCompile();
  // A crash must not find the file newer than what the session knows of it.
  m_keeper->writeNow();
  return true;
}

bool MainWindow::closePage(int index) {
  auto *page = qobject_cast<EditorPage *>(m_tabs->widget(index));
  if (!page)
    return false;
  m_tabs->awaited().finish();
  QWidget *before = m_tabs->currentWidget();
  if (page->isModified()) {
    // The user sees what the question is about.
    m_tabs->setCurrentWidget(page);
    const auto answer = askAboutChanges(this, page->title());
    if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !savePage(page, false)))
      return false;
  }
  m_closedIds << page->id();
  m_run->history().forget(page);
  m_versions->forget(page);
  m_profiles->forget(page);
  m_sweeps->forget(page);
  m_tints.erase(page);
  m_columns->forget(page);
  m_tabs->setCurrentWidget(before);
  m_tabs->removeTab(m_tabs->indexOf(page));
  page->deleteLater();
  updateTitles();
  scheduleSave();
  if (centralWidget()->isVisible())
    goToEditor();
  return true;
}

void MainWindow::updateTitles() {
  m_tabs->refresh();
  // The window system's own mark of a text that is not saved takes the place of `[*]`.
  setWindowTitle(currentPage() ? m_tabs->title(*currentPage()) + QStringLiteral("[*] — Tilescope")
                               : QStringLiteral("Tilescope"));
  setWindowModified(currentPage() && currentPage()->isModified());
}

void MainWindow::pageChanged() {
  m_focus.setHovered({}, this);
  updateTitles();
  EditorPage *page = currentPage();
  forgetRefusal();
  // A pass was chosen for the file before.
  m_passes->followBox().setChecked(false);
  passOpenTexts();
  followStepEditor();
  if (m_options.session)
    m_options.session->mark().setCurrent(page ? page->id() : QString());
  if (!page)
    return showNothing();
  enableForFile(true);
  // Whatever kind of text is in front: nothing of the one before stays on show or is run.
  if (!page->compilesByItself())
    return showUncompiled(page->whyNotByItself());
  markBusy(page->id());
  requestCompile();
}

void MainWindow::recompile() {
  const uint64_t revision = m_compile.request().revision;
  // The text of a large file has not been passed on yet.
  requestCompile();
  if (m_compile.request().revision == revision)
    m_compile.recompile();
}

} // namespace tilescope::app
