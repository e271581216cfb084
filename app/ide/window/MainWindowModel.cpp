// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Models in the window: their dock, and the texts with their kernels.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/model/ModelController.h"
#include "app/ide/model/ModelWorker.h"
#include "app/ide/page/FirstPlace.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/UnusedPath.h"
#include "app/launch/Programs.h"

#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

void MainWindow::createModelDock() {
  if (!m_options.models)
    m_options.models = new ModelWorker(workerProgram(), this);
  m_models = new ModelController(m_options.models, &m_compile, this);
  m_models->setPlace([this] {
    const auto request = m_run->request();
    return request ? request->place : RunPlace();
  });
  addDock(QStringLiteral("model"), tr("Model"), m_models->view(),
          QKeySequence(QStringLiteral("Ctrl+Alt+M")));
  const auto pageOf = [this](const QObject *file) {
    const std::vector<EditorPage *> pages = m_tabs->pages();
    const auto page = std::ranges::find(pages, file);
    return page == pages.end() ? nullptr : *page;
  };
  connect(m_tabs, &QTabWidget::currentChanged, m_models,
          [this] { m_models->setFront(currentPage()); });
  connect(m_models, &ModelController::generated, this,
          [this, pageOf](const QObject *file, const QString &text, bool isAnew) {
            if (EditorPage *page = pageOf(file))
              takeGenerated(page, text, isAnew);
          });
  connect(m_models, &ModelController::settled, this, [this](const QObject *file) {
    if (file != currentPage())
      return;
    // What is wrong with it is among Problems.
    if (!showsResultOfPage())
      requestCompile();
    else
      refreshProblems();
    Q_EMIT settled();
  });
  connect(m_models, &ModelController::originChanged, this, &MainWindow::scheduleSave);
  connect(m_models, &ModelController::launchWanted, this, [this](int block, bool goesThere) {
    const DocumentPointer document = m_compile.document();
    const std::string &kernel =
        document->source->launches.blocks[static_cast<size_t>(block)].kernel;
    m_compile.setChoice(chooseLaunch(*document, block));
    for (const SourceKernel &each : document->source->kernels)
      if (each.name == kernel)
        editor()->goTo({each.range.begin.line + 1, 0});
    if (goesThere)
      goToEditor();
  });
  connect(m_models->view(), &views::ModelView::openRequested, this, [this] {
    for (const QString &path : askFilesToOpen(
             {this, tr("Open model"), folderForDialog(currentPage()), tr("Models (*.onnx *.pt2)")}))
      openFile(path);
  });
}

bool MainWindow::openModel(const QString &path) {
  const QFileInfo file(path);
  const bool isModel = file.suffix() == u"onnx" || file.suffix() == u"pt2";
  if (!isModel || !file.isFile())
    return false;
  const QString model = file.absoluteFilePath();
  m_session.addRecent(model);
  m_tabs->awaited().finish();
  for (EditorPage *page : m_tabs->pages())
    if (const auto origin = m_models->origin(page); origin && origin->path == model) {
      m_tabs->setCurrentWidget(page);
      return true;
    }
  // A text beside the model, in no file yet.
  EditorPage *page = addPage();
  page->begin(unusedPath(file.dir(), fileNameOf(file.completeBaseName()), QStringLiteral("py"),
                         m_tabs->pages()),
              {});
  connect(page, &QObject::destroyed, m_models, [this, page] { m_models->forget(page); });
  m_models->open(page, {model, std::nullopt});
  showPage(page);
  m_tabs->setTabToolTip(m_tabs->indexOf(page),
                        tr("%1\nGenerated from %2").arg(page->path(), model));
  showWorkspace(Workspace::Model);
  return true;
}

/// Kernels that the user has not edited are replaced; Ctrl+Z brings them back.
void MainWindow::takeGenerated(EditorPage *page, const QString &text, bool isAnew) {
  const std::string made = text.toStdString(), before = page->editor().utf8Text();
  if (before == made)
    return;
  if (before.empty()) {
    page->begin(page->path(), made);
    if (const auto place = firstPlace(made))
      page->editor().restorePlace(place->kernel, place->firstLine);
  } else if (m_models->isGenerated(page, before)) {
    page->editor().replaceText(text);
  } else {
    // What an earlier start left is as the user edited it.
    if (isAnew)
      m_notice->present(
          tr("%1 was edited: its kernels stay as they are, and are not those of the model as it is "
             "planned now.")
              .arg(page->title()),
          {{tr("Replace them"),
            [page = QPointer(page), text] {
              if (page)
                page->editor().replaceText(text);
            }},
           {NoticeBar::hideText(), {}}});
    return;
  }
  if (page != currentPage())
    return;
  m_editFollowUp.finish();
  requestCompile();
}

} // namespace tilescope::app
