// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/PlannedController.h"

#include "views/common/PictureView.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

PlannedController::PlannedController(CompileBackend *backend, CompileController *compile,
                                     views::PictureView *view, Words words, QObject *parent)
    : PictureController(backend, compile, view, parent), m_words(std::move(words)) {}

void PlannedController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  const Stage *laidOut = result.stage(StageId::Ttgir);
  if (!laidOut || !laidOut->ok)
    return showBroken(isOther, m_words.broken, m_words.stale);
  if (m_shownRevision == result.revision && m_picture->hasContent()) {
    showFresh();
    return showNote();
  }
  if (isOther)
    m_picture->clear(m_words.looking.arg(QString::fromStdString(m_kernel)));
  ask();
}

void PlannedController::ask() {
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message = makeMessage();
  want(message);
  m_asked = message.job;
  m_revision = result.revision;
  m_backend->inspect(message);
}

void PlannedController::take(const InspectionPointer &reply) {
  if (reply->job != m_asked)
    return;
  m_asked = 0;
  const bool isNewest = m_compile->isCurrent() && !m_compile->isRunning() &&
                        m_compile->latest()->result()->revision == m_revision;
  if (!isNewest || !m_isInFront)
    return;
  if (isToBeAskedAgain(*reply))
    return ask();
  m_staleTimer.stop();
  m_shownRevision = m_revision;
  if (!reply->ok)
    return m_picture->clear(m_words.failed.arg(whyFailed(*reply)));
  show(*reply);
  showNote();
}

} // namespace tilescope::app
