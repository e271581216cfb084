// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Files of the window: opening, saving, the session.
#include "app/ide/MainWindow.h"
#include "app/launch/TritonCache.h"
#include "views/common/CodeFamily.h"
#include "views/common/Theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QThreadPool>

namespace tilescope::app {

using views::KernelEditor;

static constexpr const char *kFileKinds = QT_TRANSLATE_NOOP(
    "MainWindow", "Kernels and IR (*.py *.ttir *.ttgir *.mlir *.ll *.llir *.ptx);;"
                  "All files (*)");

QString MainWindow::folderOfPage() const {
  return currentPage() ? QFileInfo(currentPage()->path()).path() : QString();
}

void MainWindow::chooseFiles() {
  for (const QString &path :
       QFileDialog::getOpenFileNames(this, tr("Open"), folderOfPage(), tr(kFileKinds)))
    openFile(path);
}

void MainWindow::chooseCache() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Open folder of Triton's cache"), folderOfPage());
  if (!folder.isEmpty())
    openCache(folder);
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

EditorPage *MainWindow::addPage() {
  auto *page = new EditorPage(this);
  KernelEditor &editor = page->editor();
  editor.setHintsVisible(m_session.hintsVisible);
  connect(page, &EditorPage::titleChanged, this, [this, page] { updateTab(page); });
  connect(&editor, &KernelEditor::edited, this, [this, page] {
    if (page == currentPage())
      requestCompile();
    scheduleSave();
  });
  connect(&editor, &KernelEditor::cursorMoved, this, [this, page](Position position) {
    if (page == currentPage())
      followCursor(position);
    scheduleSave();
  });
  connect(&editor, &KernelEditor::diagnosticsReleased, this, [this, page] {
    if (page == currentPage())
      showProblems();
  });
  connect(&editor, &KernelEditor::pointed, this, &MainWindow::showHoveredPlace);
  connect(&editor, &KernelEditor::pointerLeft, this, [this] { m_focus.setHovered({}, this); });
  connect(&editor, &KernelEditor::definitionRequested, this, &MainWindow::goToDefinition);
  return page;
}

EditorPage *MainWindow::newFile() {
  EditorPage *page = addPage();
  m_tabs->setCurrentIndex(m_tabs->addTab(page, page->title()));
  page->editor().setText(
      QStringLiteral("import triton\nimport triton.language as tl\n\n\n"
                     "@triton.jit\ndef kernel(x_ptr, n, BLOCK: tl.constexpr):\n    pass\n"));
  page->editor().setFocus();
  return page;
}

EditorPage *MainWindow::forkStage(compiler::StageId stage) {
  const ResultPointer result = m_compile.latest() ? m_compile.latest()->result() : nullptr;
  const compiler::Stage *made = result ? result->stage(stage) : nullptr;
  if (!made || made->text.empty()) {
    statusBar()->showMessage(tr("Open the stage's column first: there is nothing to fork yet"),
                             4000);
    return nullptr;
  }
  const std::string_view ending = compiler::stageName(stage);
  const QString name = QString::fromStdString(result->kernel) + u'.' +
                       QString::fromUtf8(ending.data(), static_cast<qsizetype>(ending.size()));
  const QString path = QFileInfo(currentPage()->path()).dir().filePath(name);
  EditorPage *page = addPage();
  page->restore(path, QString::fromStdString(made->text), {});
  m_tabs->setCurrentIndex(m_tabs->addTab(page, page->title()));
  updateTab(page);
  page->editor().setFocus();
  return page;
}

EditorPage *MainWindow::showOpenPage(const QString &path) {
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto *page = static_cast<EditorPage *>(m_tabs->widget(i));
    if (page->path() == path) {
      m_tabs->setCurrentIndex(i);
      return page;
    }
  }
  return nullptr;
}

EditorPage *MainWindow::openFile(const QString &path) {
  if (QFileInfo(path).isDir())
    return openCache(path);
  const QString absolute = QFileInfo(path).absoluteFilePath();
  if (EditorPage *open = showOpenPage(absolute))
    return open;
  EditorPage *page = addPage();
  const QString error = page->load(absolute);
  if (!error.isEmpty()) {
    delete page;
    reportError(error);
    return nullptr;
  }
  m_tabs->setCurrentIndex(m_tabs->addTab(page, page->title()));
  m_tabs->setTabToolTip(m_tabs->currentIndex(), absolute);
  m_session.addRecent(absolute);
  scheduleSave();
  page->editor().setFocus();
  return page;
}

EditorPage *MainWindow::openCache(const QString &folder) {
  std::map<QString, QString> files;
  for (const CachedKernel &kernel : cachedKernels(folder.toStdString()))
    if (const std::string file = kernel.entryFile(); !file.empty())
      files[QString::fromStdString(kernel.name)] = QString::fromStdString(file);
  if (files.empty()) {
    reportError(tr("`%1` holds no stage of a kernel: no `.ttir`, `.ttgir`, `.llir` or `.ptx` file")
                    .arg(QDir::toNativeSeparators(folder)));
    return nullptr;
  }
  QString chosen = files.begin()->first;
  if (files.size() > 1) {
    QStringList names;
    for (const auto &[name, file] : files)
      names << name;
    bool ok = false;
    chosen =
        QInputDialog::getItem(this, tr("Open from Triton's cache"),
                              tr("%1 kernels are there:").arg(names.size()), names, 0, false, &ok);
    if (!ok)
      return nullptr;
  }
  return openFile(files[chosen]);
}

EditorPage *MainWindow::openReadOnly(const QString &path, const QString &text) {
  if (EditorPage *open = showOpenPage(path))
    return open;
  EditorPage *page = addPage();
  page->showReadOnly(path, text);
  m_tabs->setCurrentIndex(m_tabs->addTab(page, page->title()));
  m_tabs->setTabToolTip(m_tabs->currentIndex(), path);
  page->editor().setFocus();
  return page;
}

bool MainWindow::savePage(EditorPage *page, bool askPath) {
  if (page->isReadOnly())
    return true;
  QString path = page->path();
  if (askPath || path.isEmpty())
    path = QFileDialog::getSaveFileName(this, tr("Save"), path.isEmpty() ? page->title() : path,
                                        tr(kFileKinds));
  if (path.isEmpty())
    return false;
  const QString error = page->save(path);
  if (!error.isEmpty()) {
    QMessageBox::warning(this, tr("Not saved"), error);
    return false;
  }
  m_session.addRecent(path);
  scheduleSave();
  return true;
}

bool MainWindow::closePage(int index) {
  auto *page = qobject_cast<EditorPage *>(m_tabs->widget(index));
  if (!page)
    return false;
  if (page->isModified()) {
    const auto answer =
        QMessageBox::question(this, tr("Close"), tr("Save the changes to %1?").arg(page->title()),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !savePage(page, false)))
      return false;
  }
  m_tabs->removeTab(index);
  page->deleteLater();
  scheduleSave();
  return true;
}

void MainWindow::updateTab(EditorPage *page) {
  const int index = m_tabs->indexOf(page);
  if (index < 0)
    return;
  m_tabs->setTabText(index,
                     page->isModified() ? page->title() + QStringLiteral(" ●") : page->title());
  if (page == currentPage())
    setWindowTitle(page->title() + QStringLiteral(" — Tilescope"));
}

void MainWindow::pageChanged() {
  m_focus.setHovered({}, this);
  m_baseline.reset();
  if (EditorPage *page = currentPage()) {
    updateTab(page);
    requestCompile();
  }
}

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  for (const QString &path : m_session.recentFiles)
    m_recentMenu->addAction(QDir::toNativeSeparators(path), this, [this, path] { openFile(path); });
  if (m_session.recentFiles.isEmpty())
    m_recentMenu->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

void MainWindow::fillExamplesMenu() {
  const QDir folder(m_options.examplesFolder);
  const QStringList names =
      m_options.examplesFolder.isEmpty()
          ? QStringList()
          : folder.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
  for (const QString &name : names) {
    const QString path = folder.filePath(name);
    QString title = QFileInfo(name).completeBaseName().replace(u'_', u' ');
    title[0] = title[0].toUpper();
    m_examplesMenu->QWidget::addAction(addAction(QStringLiteral("example.") + name,
                                                 tr("Example: %1").arg(title), {}, [this, path] {
                                                   if (openFile(path))
                                                     focusOnFirstLoad();
                                                 }));
  }
  m_examplesMenu->menuAction()->setVisible(!names.isEmpty());
}

void MainWindow::openFirstExample() {
  const QDir folder(m_options.examplesFolder);
  for (const char *name : {"fused_softmax.py", "vector_add.py"}) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    if (!m_options.examplesFolder.isEmpty() && QFile::exists(path)) {
      openFile(path);
      focusOnFirstLoad();
      return;
    }
  }
  newFile();
}

Session MainWindow::session() const {
  Session session = m_session;
  session.files.clear();
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto *page = static_cast<EditorPage *>(m_tabs->widget(i));
    if (page->isReadOnly())
      continue;
    const Position cursor = page->editor().cursor();
    session.files.push_back({page->path(), page->isModified() ? page->editor().text() : QString(),
                             page->isModified(), page->diskTime(), static_cast<int>(cursor.line),
                             static_cast<int>(cursor.column)});
  }
  session.current = m_tabs->currentIndex();
  session.geometry = saveGeometry();
  session.windowState = m_beforeMaximize.isEmpty() ? saveState() : m_beforeMaximize;
  return session;
}

void MainWindow::scheduleSave() {
  // Not started anew by every key: someone who never pauses is saved as well.
  if (!m_saveTimer.isActive())
    m_saveTimer.start();
}

void MainWindow::saveSessionNow() {
  m_saveTimer.stop();
  QThreadPool::globalInstance()->waitForDone();
  if (!m_options.sessionPath.isEmpty())
    saveSession(m_options.sessionPath, session());
}

void MainWindow::saveSessionInBackground() {
  if (m_options.sessionPath.isEmpty())
    return;
  if (m_saving)
    return scheduleSave();
  m_saving = true;
  // The disk may take its time; typing does not wait for it.
  QThreadPool::globalInstance()->start([this, path = m_options.sessionPath, now = session()] {
    const bool saved = saveSession(path, now);
    QMetaObject::invokeMethod(this, [this, saved] {
      m_saving = false;
      if (!saved)
        scheduleSave();
    });
  });
}

bool MainWindow::restoreSession() {
  if (!m_session.geometry.isEmpty())
    restoreGeometry(m_session.geometry);
  views::setFontZoom(m_session.fontZoom);
  views::setCodeFamily(m_session.codeFamily);
  const Session saved = m_session;
  for (const SessionFile &file : saved.files) {
    EditorPage *page = nullptr;
    if (file.unsaved) {
      page = addPage();
      page->restore(file.path, file.text, file.diskTime);
      m_tabs->addTab(page, page->title());
      updateTab(page);
      page->checkDisk();
    } else if (!file.path.isEmpty() && QFile::exists(file.path)) {
      page = openFile(file.path);
    }
    if (page)
      page->editor().goTo({static_cast<uint32_t>(file.line), static_cast<uint32_t>(file.column)});
  }
  if (saved.current >= 0 && saved.current < m_tabs->count())
    m_tabs->setCurrentIndex(saved.current);
  return m_tabs->count() > 0;
}

void MainWindow::closeEvent(QCloseEvent *event) {
  // Unsaved text is kept by the session, so closing never asks and never loses anything; without a
  // session it has to ask.
  if (m_options.sessionPath.isEmpty()) {
    for (int i = 0; i < m_tabs->count(); ++i)
      if (static_cast<EditorPage *>(m_tabs->widget(i))->isModified()) {
        m_tabs->setCurrentIndex(i);
        if (!closePage(i)) {
          event->ignore();
          return;
        }
        --i;
      }
  }
  saveSessionNow();
  QMainWindow::closeEvent(event);
}

} // namespace tilescope::app
