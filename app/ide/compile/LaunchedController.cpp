// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/LaunchedController.h"

#include "views/common/PictureView.h"

namespace tilescope::app {

using compiler::CompileResult;

LaunchedController::LaunchedController(CompileBackend *backend, CompileController *compile,
                                       views::PictureView *view, Words words, QObject *parent)
    : PictureController(backend, compile, view, parent), m_words(std::move(words)) {}

void LaunchedController::startOver() {
  // What was not finished is begun anew.
  if (m_asked.job != 0 || m_wantsPart || m_wantsGrid)
    m_revision = 0;
  m_wantsPart = m_wantsGrid = false;
}

void LaunchedController::stop() {
  m_wantsPart = m_wantsGrid = false;
  // What is on its way is not for what comes into sight next.
  m_revision = 0;
  if (m_asked.job != 0)
    m_backend->cancelInspections();
}

void LaunchedController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  if (!result.ok)
    return showBroken(isOther, tr("The text does not compile: Problems says why."), m_words.stale);
  if (result.launch.plan.empty()) {
    m_staleTimer.stop();
    return m_picture->clear(m_words.unlaunched, true);
  }
  const bool isShown = m_shownRevision == result.revision && m_picture->hasContent();
  if (isShown)
    showFresh();
  if (std::exchange(m_revision, result.revision) == result.revision || isShown)
    return;
  if (isOther)
    m_picture->clear(m_words.looking.arg(QString::fromStdString(m_kernel)));
  startLooking();
  m_wantsPart = m_wantsGrid = true;
  advance();
}

void LaunchedController::askForPart() {
  if (!isReady() || m_shownRevision != m_compile->latest()->result()->revision)
    return;
  m_wantsPart = true;
  advance();
}

void LaunchedController::advance() {
  if (m_asked.job != 0) {
    if (m_wantsPart && m_asked.isGrid)
      m_backend->cancelInspections();
    return;
  }
  if (std::exchange(m_wantsPart, false))
    ask(false);
  else if (std::exchange(m_wantsGrid, false))
    ask(true);
}

void LaunchedController::ask(bool isGrid) {
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message = makeMessage();
  message.launchPlan = result.launch.plan;
  message.mostDataBytes = kMostDataBytes;
  fill(message, isGrid);
  m_asked = {message.job, result.revision, isGrid};
  m_backend->inspect(message);
}

void LaunchedController::take(const InspectionPointer &reply) {
  if (reply->job != m_asked.job)
    return;
  const Asked asked = std::exchange(m_asked, {});
  if (!isReady())
    return;
  if (asked.revision == m_revision) {
    if (!isToBeAskedAgain(*reply))
      show(asked, reply);
    else if (asked.isGrid)
      m_wantsGrid = true;
    else
      m_wantsPart = true;
  }
  advance();
}

void LaunchedController::show(const Asked &asked, const InspectionPointer &reply) {
  if (asked.isGrid)
    return reply->ok ? showGrid(reply) : failGrid(reply);
  m_staleTimer.stop();
  if (reply->ok)
    return showPart(reply, std::exchange(m_shownRevision, asked.revision) != asked.revision);
  if (m_shownRevision != asked.revision)
    m_wantsGrid = false;
  failPart(reply, m_shownRevision == asked.revision);
}

} // namespace tilescope::app
