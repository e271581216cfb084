// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/RegistersController.h"

#include "views/registers/RegistersView.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

RegistersController::RegistersController(CompileBackend *backend, CompileController *compile,
                                         views::RegistersView *view, QObject *parent)
    : PictureController(backend, compile, view, parent), m_view(view) {
  setOnlyOfGpus(tr("it shows the registers of PTX and SASS"));
  m_pool.setMaxThreadCount(1);
}

RegistersController::~RegistersController() { m_pool.waitForDone(); }

void RegistersController::begin() {
  if (!canBegin())
    return;
  const std::shared_ptr<const CompileResult> result = m_compile->latest()->result();
  const bool isOther = moveTo(*result);
  const Stage *ptx = result->stage(StageId::Ptx);
  if (!ptx || !ptx->ok)
    return showBroken(isOther,
                      tr("The text does not compile as far as PTX, where registers begin: Problems "
                         "says why."),
                      tr("These are the registers of the "
                         "last one that did."));
  // It was compiled while nobody looked: the stages come with the next compile.
  if (ptx->text.empty())
    return;
  if (m_shownRevision == result->revision && m_view->hasContent())
    return showFresh();
  if (isOther)
    m_view->clear(tr("Looking at the registers of `%1`…").arg(QString::fromStdString(m_kernel)));
  m_pool.clear();
  m_pool.start([this, result, ticket = ++m_ticket, source = m_compile->request().text] {
    const views::RegistersContentPointer content = views::makeRegistersContent(*result, source);
    QMetaObject::invokeMethod(
        this,
        [this, ticket, content, revision = result->revision] {
          if (ticket != m_ticket || !isReady())
            return;
          m_staleTimer.stop();
          m_shownRevision = revision;
          m_view->setContent(content);
        },
        Qt::QueuedConnection);
  });
}

} // namespace tilescope::app
