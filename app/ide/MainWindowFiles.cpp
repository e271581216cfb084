// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Files of the window: opening, saving, the session.
#include "app/ide/MainWindow.h"
#include "views/common/Theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QTabWidget>

namespace tilescope::app {

using views::KernelEditor;

EditorPage *MainWindow::addPage() {
  auto *page = new EditorPage(this);
  KernelEditor &editor = page->editor();
  editor.setLanguage(m_options.language);
  editor.setHintsVisible(m_session.hintsVisible);
  connect(page, &EditorPage::titleChanged, this, [this, page] { updateTab(page); });
  connect(&editor, &KernelEditor::edited, this, [this, page] {
    if (page == currentPage())
      requestCompile();
    m_saveTimer.start();
  });
  connect(&editor, &KernelEditor::cursorMoved, this, [this, page](Position position) {
    if (page == currentPage())
      followCursor(position);
    m_saveTimer.start();
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

EditorPage *MainWindow::openFile(const QString &path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto *page = static_cast<EditorPage *>(m_tabs->widget(i));
    if (page->path() == absolute) {
      m_tabs->setCurrentIndex(i);
      return page;
    }
  }
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
  m_saveTimer.start();
  page->editor().setFocus();
  return page;
}

bool MainWindow::savePage(EditorPage *page, bool askPath) {
  QString path = page->path();
  if (askPath || path.isEmpty())
    path = QFileDialog::getSaveFileName(this, tr("Save"), path.isEmpty() ? page->title() : path,
                                        tr("Kernels (*.py);;All files (*)"));
  if (path.isEmpty())
    return false;
  const QString error = page->save(path);
  if (!error.isEmpty()) {
    QMessageBox::warning(this, tr("Not saved"), error);
    return false;
  }
  m_session.addRecent(path);
  m_saveTimer.start();
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
  m_saveTimer.start();
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
    const Position cursor = page->editor().cursor();
    session.files.push_back({page->path(), page->isModified() ? page->editor().text() : QString(),
                             page->isModified(), page->diskTime(), static_cast<int>(cursor.line),
                             static_cast<int>(cursor.column)});
  }
  session.current = m_tabs->currentIndex();
  session.geometry = saveGeometry();
  session.windowState = m_maximized ? m_beforeMaximize : saveState();
  return session;
}

void MainWindow::saveSessionNow() {
  if (!m_options.sessionPath.isEmpty() && !saveSession(m_options.sessionPath, session()))
    m_saveTimer.start();
}

bool MainWindow::restoreSession() {
  if (!m_session.geometry.isEmpty())
    restoreGeometry(m_session.geometry);
  views::setFontZoom(m_session.fontZoom);
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
  m_saveTimer.stop();
  QMainWindow::closeEvent(event);
}

} // namespace tilescope::app
