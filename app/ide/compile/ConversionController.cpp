// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ConversionController.h"

#include "views/layout/conversion/ConversionView.h"

namespace tilescope::app {

using compiler::CompileResult;
using views::ConversionView;

/// For one program.
static constexpr uint32_t kProgramMs = 2000;
ConversionController::ConversionController(CompileBackend *backend, CompileController *compile,
                                           views::ConversionView *view, QObject *parent)
    : PictureController(backend, compile, view, parent), m_view(view) {
  setOnlyOfGpus(tr("it shows the conversions between layouts of TTGIR"));
}

void ConversionController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  if (!result.ok)
    return showBroken(isOther, tr("The text does not compile: Problems says why."),
                      tr("These are the conversions of the last text that compiled."));
  if (std::exchange(m_shownRevision, result.revision) != result.revision)
    m_known = Known::Nothing;
  else if (m_known != Known::Nothing)
    showFresh();
  if (isOther)
    m_view->clear(tr("Looking at the conversions of `%1`…").arg(QString::fromStdString(m_kernel)));
  ask();
}

void ConversionController::ask() {
  const CompileResult &result = *m_compile->latest()->result();
  const bool isLaunched = !result.launch.plan.empty();
  if (m_asked != 0 || m_known == Known::Executions || (m_known == Known::Plans && !isLaunched))
    return;
  compiler::InspectMessage message = makeMessage();
  m_asked = message.job;
  if (m_known == Known::Plans) {
    message.launchPlan = result.launch.plan;
    message.program = std::array<int32_t, 3>{};
    message.mostDataBytes = kMostDataBytes;
    message.timeLimitMs = kProgramMs;
  }
  m_askedRevision = result.revision;
  m_backend->inspect(message);
}

void ConversionController::take(const InspectionPointer &reply) {
  if (m_asked == 0 || reply->job != m_asked)
    return;
  m_asked = 0;
  if (!m_isInFront || !isReady())
    return;
  if (m_askedRevision == m_shownRevision && !isToBeAskedAgain(*reply)) {
    if (!reply->ok)
      return fail(reply);
    m_staleTimer.stop();
    m_known = m_known == Known::Nothing ? Known::Plans : Known::Executions;
    m_view->setContent(std::make_shared<const compiler::MemoryFacts>(reply->facts));
  }
  ask();
}

void ConversionController::fail(const InspectionPointer &reply) {
  // Without the number of executions the rest is still true.
  if (m_known == Known::Plans) {
    m_known = Known::Executions;
    return;
  }
  m_staleTimer.stop();
  m_view->clear(tr("The conversions are not known: %1.").arg(whyFailed(*reply)));
}

} // namespace tilescope::app
