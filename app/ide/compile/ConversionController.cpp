// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ConversionController.h"

#include "views/layout/conversion/ConversionView.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::InspectMessage;
using views::ConversionView;

/// For one program.
static constexpr uint32_t kProgramMs = 2000;
/// Arrays that are filled while the user types, where addresses depend on them.
static constexpr uint64_t kMostDataBytes = uint64_t{16} << 20;
/// What takes no longer is replaced before the user could have read it.
static constexpr int kStaleDelayMs = 250;

ConversionController::ConversionController(CompileBackend *backend, CompileController *compile,
                                           ConversionView *view, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile), m_view(view) {
  m_staleTimer.setSingleShot(true);
  m_staleTimer.setInterval(kStaleDelayMs);
  connect(&m_staleTimer, &QTimer::timeout, this, [this] {
    m_view->setStaleNote(tr("Stale: this shows an earlier text; the newest is being looked at."));
  });
  connect(m_compile, &CompileController::started, this, [this] {
    if (m_isInFront)
      m_staleTimer.start();
  });
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done)
              begin();
          });
  connect(m_backend, &CompileBackend::inspected, this, &ConversionController::take);
}

void ConversionController::setInFront(bool isInFront) {
  if (std::exchange(m_isInFront, isInFront) != isInFront && isInFront)
    begin();
}

bool ConversionController::isReady() const {
  return m_isInFront && m_compile->isCurrent() && !m_compile->isRunning() &&
         m_compile->latest()->result()->ok;
}

void ConversionController::clear(const QString &why) {
  m_staleTimer.stop();
  m_revision = 0;
  m_file = nullptr;
  m_view->clear(why);
}

void ConversionController::begin() {
  if (!m_isInFront || !m_compile->isCurrent() || m_compile->isRunning())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = m_file != m_compile->file() || m_kernel != result.kernel;
  m_file = m_compile->file();
  if (!result.kernel.empty())
    m_kernel = result.kernel;
  if (!result.ok) {
    m_staleTimer.stop();
    if (isOther || !m_view->hasContent())
      return m_view->clear(tr("The text does not compile: Problems says why."));
    return m_view->setStaleNote(tr("Stale: the newest text does not compile. These are the "
                                   "conversions of the last one that did."));
  }
  if (std::exchange(m_revision, result.revision) != result.revision)
    m_known = Known::Nothing;
  else
    m_staleTimer.stop();
  if (isOther)
    m_view->clear(tr("Looking at the conversions of `%1`…").arg(QString::fromStdString(m_kernel)));
  ask();
}

void ConversionController::ask() {
  const CompileResult &result = *m_compile->latest()->result();
  const bool isLaunched = !result.launch.plan.empty();
  if (m_asked != 0 || m_known == Known::Executions || (m_known == Known::Plans && !isLaunched))
    return;
  InspectMessage message;
  message.job = m_asked = m_backend->nextInspection();
  message.request = m_compile->request();
  message.request.selection = result.launch.selection;
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
  if (!isReady())
    return;
  // What another view or an edit stopped is asked for again.
  if (m_askedRevision == m_revision && !reply->cancelled) {
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
  m_view->clear(tr("The conversions are not known: %1.")
                    .arg(reply->diagnostics.empty()
                             ? tr("the worker ended meanwhile")
                             : QString::fromStdString(reply->diagnostics.back().message)));
}

} // namespace tilescope::app
