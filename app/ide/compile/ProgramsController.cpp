// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ProgramsController.h"

#include "compiler/access/arrays/ProgramOrder.h"
#include "compiler/access/arrays/TouchedArrays.h"
#include "views/programs/ProgramsView.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::ProgramSample;
using compiler::access::TouchedArrays;
using views::ProgramsView;

/// For the programs that are drawn, and for the whole grid.
static constexpr uint32_t kPartMs = 5000, kGridMs = 10000;
static constexpr uint64_t kMostPrograms = 16384, kThinner = 8;
ProgramsController::ProgramsController(CompileBackend *backend, CompileController *compile,
                                       ProgramsView *view, QObject *parent)
    : PictureController(backend, compile, parent), m_view(view) {
  connect(m_view, &ProgramsView::wishChanged, this, [this](const ProgramSample &wish) {
    if (!isReady() || m_shownRevision != m_compile->latest()->result()->revision)
      return;
    m_wish = wish;
    advance();
  });
}

void ProgramsController::startOver() {
  // What was not finished is begun anew.
  if (m_asked.job != 0 || m_wish || m_wantsGrid)
    m_revision = 0;
  m_wish.reset();
  m_wantsGrid = false;
}

void ProgramsController::setStaleNote(const QString &note) { m_view->setStaleNote(note); }

void ProgramsController::clear(const QString &why) {
  stop();
  m_staleTimer.stop();
  m_file = nullptr;
  m_shownRevision = 0;
  m_view->clear(why);
}

void ProgramsController::stop() {
  m_wish.reset();
  m_wantsGrid = false;
  // What is on its way is not for what comes into sight next.
  m_revision = 0;
  if (m_asked.job != 0)
    m_backend->cancelInspections();
}

void ProgramsController::begin() {
  if (!canBegin())
    return;
  const CompileResult &result = *m_compile->latest()->result();
  const bool isOther = moveTo(result);
  if (!result.ok) {
    m_staleTimer.stop();
    if (isOther || !m_view->hasContent())
      return m_view->clear(tr("The text does not compile: Problems says why."));
    return m_view->setStaleNote(tr("Stale: the newest text does not compile. This is what the "
                                   "programs of the last one that did touch."));
  }
  if (result.launch.plan.empty()) {
    m_staleTimer.stop();
    return m_view->clear(tr("What programs touch depends on the launch: how many there are, on "
                            "which arrays, with which sizes. The file does not say it yet."),
                         true);
  }
  if (m_revision == result.revision)
    return;
  m_revision = result.revision;
  if (m_shownRevision == m_revision && m_view->hasContent())
    return m_staleTimer.stop();
  if (isOther)
    m_view->clear(tr("Looking at the programs of `%1`…").arg(QString::fromStdString(m_kernel)));
  m_wish = m_view->wish();
  m_wantsGrid = true;
  m_stride = 1;
  advance();
}

void ProgramsController::advance() {
  if (m_asked.job != 0) {
    // A user who waits for a picture goes before the whole grid.
    if (m_wish && m_asked.isGrid)
      m_backend->cancelInspections();
    return;
  }
  if (m_wish)
    return ask(false, *std::exchange(m_wish, std::nullopt));
  if (std::exchange(m_wantsGrid, false))
    ask(true, {0, UINT64_MAX, m_stride});
}

void ProgramsController::ask(bool isGrid, const ProgramSample &programs) {
  const CompileResult &result = *m_compile->latest()->result();
  compiler::InspectMessage message = makeMessage();
  message.launchPlan = result.launch.plan;
  message.mostDataBytes = kMostDataBytes;
  message.timeLimitMs = isGrid ? kGridMs : kPartMs;
  message.touches = programs;
  m_asked = {message.job, result.revision, isGrid, programs};
  m_backend->inspect(message);
}

void ProgramsController::take(const InspectionPointer &reply) {
  if (reply->job != m_asked.job)
    return;
  const Asked asked = std::exchange(m_asked, {});
  if (!isReady())
    return;
  if (asked.revision == m_revision) {
    if (!reply->cancelled)
      reply->ok ? show(asked, reply) : fail(asked, reply);
    // Something was more urgent.
    else if (asked.isGrid)
      m_wantsGrid = true;
    else if (!m_wish)
      m_wish = asked.programs;
  }
  advance();
}

void ProgramsController::show(const Asked &asked, const InspectionPointer &reply) {
  m_numPrograms = compiler::access::numPrograms(reply->touches.grid);
  m_stride = std::max(m_stride, (m_numPrograms + kMostPrograms - 1) / kMostPrograms);
  if (asked.isGrid && reply->touches.isCut)
    return thinOut(tr("they touch too many pieces"));
  auto arrays = std::make_shared<const TouchedArrays>(reply->touches);
  if (asked.isGrid)
    return m_view->setGrid(std::move(arrays));
  m_staleTimer.stop();
  const bool isOther = std::exchange(m_shownRevision, asked.revision) != asked.revision;
  m_view->setPart(std::move(arrays), isOther);
}

void ProgramsController::thinOut(const QString &why) {
  if (m_stride * kThinner >= m_numPrograms)
    return m_view->setGrid(nullptr, tr("The other programs are not counted: %1.").arg(why));
  m_stride *= kThinner;
  m_wantsGrid = true;
}

void ProgramsController::fail(const Asked &asked, const InspectionPointer &reply) {
  const QString why = whyFailed(*reply);
  if (asked.isGrid && reply->isOutOfTime)
    return thinOut(why);
  if (asked.isGrid)
    return m_view->setGrid(nullptr, tr("The other programs are not counted: %1.").arg(why));
  m_staleTimer.stop();
  if (m_shownRevision == asked.revision)
    return m_view->setStaleNote(tr("The picture is of another program: %1.").arg(why));
  m_view->clear(tr("What programs touch is not known: %1.").arg(why));
  m_wantsGrid = false;
  // The program of an earlier launch need not be one of this one.
  if (asked.programs != ProgramSample{0, 1, 1}) {
    m_wish = ProgramSample{0, 1, 1};
    m_wantsGrid = true;
  }
}

} // namespace tilescope::app
