// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ProgramsController.h"

#include "compiler/access/arrays/ProgramOrder.h"
#include "compiler/access/arrays/TouchedArrays.h"
#include "views/programs/ProgramsView.h"

namespace tilescope::app {

using compiler::ProgramSample;
using compiler::access::TouchedArrays;
using views::ProgramsView;

/// For the programs that are drawn, and for the whole grid.
static constexpr uint32_t kPartMs = 5000, kGridMs = 10000;
static constexpr uint64_t kMostPrograms = 16384, kThinner = 8;
static constexpr ProgramSample kFirst{0, 1, 1};

ProgramsController::ProgramsController(CompileBackend *backend, CompileController *compile,
                                       ProgramsView *view, QObject *parent)
    : LaunchedController(
          backend, compile, view,
          {tr("This is what the programs of the last one "
              "that did touch."),
           tr("What programs touch depends on the launch: how many there are, on which arrays, "
              "with which sizes. The file does not say it yet."),
           tr("Looking at the programs of `%1`…")},
          parent),
      m_view(view) {
  connect(m_view, &ProgramsView::wishChanged, this, &ProgramsController::askForPart);
}

void ProgramsController::fill(compiler::InspectMessage &message, bool isGrid) {
  if (!isGrid)
    m_asked = m_view->wish();
  message.timeLimitMs = isGrid ? kGridMs : kPartMs;
  message.touches = isGrid ? ProgramSample{0, UINT64_MAX, m_stride} : m_asked;
}

void ProgramsController::countPrograms(const InspectionPointer &reply) {
  m_numPrograms = compiler::access::numPrograms(reply->touches.grid);
  m_stride = std::max(m_stride, (m_numPrograms + kMostPrograms - 1) / kMostPrograms);
}

void ProgramsController::showPart(const InspectionPointer &reply, bool isOther) {
  countPrograms(reply);
  m_view->setPart(std::make_shared<const TouchedArrays>(reply->touches), isOther);
}

void ProgramsController::showGrid(const InspectionPointer &reply) {
  countPrograms(reply);
  if (reply->touches.isCut)
    return thinOut(tr("they touch too many pieces"));
  m_view->setGrid(std::make_shared<const TouchedArrays>(reply->touches));
}

void ProgramsController::thinOut(const QString &why) {
  if (m_stride * kThinner >= m_numPrograms)
    return m_view->setGrid(nullptr, tr("The other programs are not counted: %1.").arg(why));
  m_stride *= kThinner;
  wantGrid();
}

void ProgramsController::failPart(const InspectionPointer &reply, bool isShown) {
  const QString why = whyFailed(*reply);
  if (isShown)
    return m_view->setStaleNote(tr("The picture is of another program: %1.").arg(why));
  m_view->clear(tr("What programs touch is not known: %1.").arg(why));
  // The program of an earlier launch need not be one of this one.
  if (m_asked != kFirst) {
    wantPart();
    wantGrid();
  }
}

void ProgramsController::failGrid(const InspectionPointer &reply) {
  if (reply->isOutOfTime)
    return thinOut(whyFailed(*reply));
  m_view->setGrid(nullptr, tr("The other programs are not counted: %1.").arg(whyFailed(*reply)));
}

} // namespace tilescope::app
