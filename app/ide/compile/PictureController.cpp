// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/PictureController.h"

#include "compiler/artifacts/CpuTarget.h"
#include "views/common/PictureView.h"

#include <algorithm>

namespace tilescope::app {

/// What takes no longer is replaced before the user could have read it.
static constexpr int kStaleDelayMs = 250;

PictureController::PictureController(CompileBackend *backend, CompileController *compile,
                                     views::PictureView *view, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile), m_picture(view) {
  m_staleTimer.setObjectName(QStringLiteral("marking pictures as stale"));
  m_staleTimer.setSingleShot(true);
  m_staleTimer.setInterval(kStaleDelayMs);
  connect(&m_staleTimer, &QTimer::timeout, this, [this] {
    // The text that did not compile is not the one of now.
    if (std::exchange(m_saysBroken, false) && !m_picture->hasContent())
      return m_picture->clear(tr("The newest text is being compiled…"));
    const bool isSameText = m_text == m_compile->request().text;
    m_picture->setStaleNote(
        isSameText
            ? tr("Stale: this shows what was chosen before; the picture of the new choice is still "
                 "being made.")
            : tr("Stale: this shows an earlier text; the one of the newest text is still being "
                 "made."));
  });
  connect(m_compile, &CompileController::started, this, [this] {
    startOver();
    if (m_isInFront)
      m_staleTimer.start();
  });
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done)
              look();
          });
  connect(m_backend, &CompileBackend::inspected, this,
          [this](const InspectionPointer &reply) { take(reply); });
}

void PictureController::setInFront(bool isInFront) {
  if (std::exchange(m_isInFront, isInFront) == isInFront)
    return;
  if (isInFront)
    look();
  else
    stop();
}

bool PictureController::isOfOtherTarget() const {
  return !m_onlyOfGpus.isEmpty() && compiler::isCpuTarget(m_compile->latest()->result()->target);
}

void PictureController::look() {
  if (!canBegin() || !isOfOtherTarget())
    return begin();
  stop();
  m_staleTimer.stop();
  (void)moveTo(*m_compile->latest()->result());
  m_shownRevision = 0;
  // A picture of now is to come as soon as there is another target.
  m_saysBroken = true;
  m_picture->clear(
      tr("This view is about GPU targets: %1. The kernel is compiled for `%2`; choose a GPU as the "
         "target to see it.")
          .arg(m_onlyOfGpus, QString::fromStdString(m_compile->latest()->result()->target)));
}

void PictureController::clear(const QString &why) {
  stop();
  m_staleTimer.stop();
  m_file = nullptr;
  m_shownRevision = 0;
  m_picture->clear(why);
}

void PictureController::showFresh() {
  m_staleTimer.stop();
  m_picture->setStaleNote({});
}

/// The launch block may be at fault, of a text that compiles.
static QString whyBroken(const CompileController &compile) {
  const bool isOfLaunch =
      std::ranges::any_of(compile.launchDiagnostics(), [](const compiler::Diagnostic &each) {
        return each.severity == compiler::Severity::Error;
      });
  return isOfLaunch ? PictureController::tr("The launch block has an error: Problems says which.")
                    : QString();
}

void PictureController::showBroken(bool isOther, QString none, const QString &shown) {
  m_staleTimer.stop();
  QString stale = tr("Stale: the newest text does not compile. %1").arg(shown);
  if (const QString why = whyBroken(*m_compile); !why.isEmpty()) {
    none = why;
    stale = tr("Stale: the launch block has an error. %1").arg(shown);
  }
  m_saysBroken = isOther || !m_picture->hasContent();
  if (m_saysBroken)
    m_picture->clear(none);
  else
    m_picture->setStaleNote(stale);
}

bool PictureController::canBegin() const {
  return m_isInFront && m_compile->isCurrent() && !m_compile->isRunning();
}

bool PictureController::isReady() const {
  return m_compile->isCurrent() && !m_compile->isRunning() && m_compile->latest()->result()->ok &&
         !isOfOtherTarget();
}

bool PictureController::moveTo(const compiler::CompileResult &result) {
  const bool isOther = m_file != m_compile->file() || m_kernel != result.kernel;
  m_file = m_compile->file();
  if (!result.kernel.empty())
    m_kernel = result.kernel;
  if (result.ok)
    m_text = m_compile->request().text;
  return isOther;
}

compiler::InspectMessage PictureController::makeMessage() {
  compiler::InspectMessage message;
  message.job = m_backend->nextInspection();
  message.request = m_compile->request();
  message.request.selection = m_compile->latest()->result()->launch.selection;
  return message;
}

static bool hasWorkerEnded(const compiler::InspectDoneReply &reply) {
  return !reply.ok && !reply.cancelled && !reply.isOutOfTime && reply.diagnostics.empty();
}

bool PictureController::isToBeAskedAgain(const compiler::InspectDoneReply &reply) {
  if (!hasWorkerEnded(reply))
    return reply.cancelled;
  const uint64_t revision = m_compile->latest()->result()->revision;
  return std::exchange(m_triedAgain, revision) != revision;
}

QString PictureController::whyFailed(const compiler::InspectDoneReply &reply) {
  if (reply.isOutOfTime)
    return tr("it takes too long");
  return hasWorkerEnded(reply) ? tr("the worker ended meanwhile")
                               : QString::fromStdString(reply.diagnostics.back().message);
}

} // namespace tilescope::app
