// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/SharedController.h"

#include "app/ide/compile/IrBehindPass.h"
#include "views/shared/SharedView.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

SharedController::SharedController(CompileBackend *backend, CompileController *compile,
                                   views::SharedView *view, QObject *parent)
    : PictureController(backend, compile, view, parent), m_view(view) {}

void SharedController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  const Stage *laidOut = result.stage(StageId::Ttgir);
  if (!laidOut || !laidOut->ok)
    return showBroken(isOther,
                      tr("The text does not compile as far as TTGIR, where shared memory is laid "
                         "out: Problems says why."),
                      tr("Stale: the newest text does not compile. This is the shared memory of "
                         "the last one that did."));
  if (m_shownRevision == result.revision && m_view->hasContent()) {
    showFresh();
    return showNote();
  }
  if (isOther)
    m_view->clear(
        tr("Looking at the shared memory of `%1`…").arg(QString::fromStdString(m_kernel)));
  ask();
}

void SharedController::setBehind(std::optional<Behind> behind) {
  const auto irOf = [](const std::optional<Behind> &each) {
    return each ? std::string_view(each->record.ir) : std::string_view();
  };
  const bool isOther = irOf(behind) != irOf(m_behind);
  m_behind = std::move(behind);
  showNote();
  if (!isOther)
    return;
  m_shownRevision = 0;
  begin();
}

/// What is shown is not what the kernel ends with.
void SharedController::showNote() {
  if (m_view->hasContent())
    m_view->setStaleNote(m_behind ? tr("Behind %1, where the Passes view is.").arg(m_behind->pass)
                                  : QString());
}

void SharedController::ask() {
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message = makeMessage();
  message.sharedMemory = true;
  if (m_behind)
    message.request = requestBehind(message.request, m_behind->record);
  m_asked = message.job;
  m_revision = result.revision;
  m_backend->inspect(message);
}

void SharedController::take(const InspectionPointer &reply) {
  if (reply->job != m_asked)
    return;
  m_asked = 0;
  const bool isNewest = m_compile->isCurrent() && !m_compile->isRunning() &&
                        m_compile->latest()->result()->revision == m_revision;
  if (!isNewest || !m_isInFront)
    return;
  // Something was more urgent.
  if (reply->cancelled)
    return ask();
  m_staleTimer.stop();
  m_shownRevision = m_revision;
  if (!reply->ok)
    return m_view->clear(tr("The shared memory is not known: %1.").arg(whyFailed(*reply)));
  views::SharedContent content{reply->shared, {}};
  if (m_behind)
    moveToSource(m_behind->record.irMap, content.facts);
  content.lines = QString::fromStdString(m_compile->request().text).split(u'\n');
  m_view->setContent(std::make_shared<const views::SharedContent>(std::move(content)));
  showNote();
}

} // namespace tilescope::app
