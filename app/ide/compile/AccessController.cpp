// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/AccessController.h"

#include "views/access/AccessView.h"

namespace tilescope::app {

using views::AccessView;
using views::AccessWish;

/// For one program, and for all of them.
static constexpr uint32_t kProgramMs = 5000, kGridMs = 10000;

AccessController::AccessController(CompileBackend *backend, CompileController *compile,
                                   AccessView *view, QObject *parent)
    : LaunchedController(
          backend, compile, view,
          {tr("These are the accesses of the last text that compiled."),
           tr("What accesses cost depends on the launch: how many programs there are, on which "
              "arrays, with which sizes. The file does not say it yet."),
           tr("Looking at the accesses of `%1`…")},
          parent),
      m_view(view) {
  setOnlyOfGpus(tr("it shows the memory accesses of warps"));
  connect(m_view, &AccessView::wishChanged, this, &AccessController::askForPart);
}

void AccessController::fill(compiler::InspectMessage &message, bool isGrid) {
  message.timeLimitMs = isGrid ? kGridMs : kProgramMs;
  if (isGrid)
    return;
  m_asked = m_view->wish();
  message.program = m_asked.program;
  message.record = m_asked.record;
}

void AccessController::showPart(const InspectionPointer &reply, bool isOther) {
  if (isOther)
    m_view->setGridFacts(nullptr);
  m_view->setContent(std::make_shared<const views::AccessContent>(views::AccessContent{
      m_asked, std::make_shared<const compiler::MemoryFacts>(reply->facts), reply->record}));
}

void AccessController::showGrid(const InspectionPointer &reply) {
  m_view->setGridFacts(std::make_shared<const compiler::MemoryFacts>(reply->facts));
}

void AccessController::failPart(const InspectionPointer &reply, bool isShown) {
  const QString why = whyFailed(*reply);
  if (isShown)
    return m_view->setStaleNote(tr("The picture is of another program or iteration: %1.").arg(why));
  m_view->clear(tr("The accesses are not known: %1.").arg(why));
  // The program of an earlier launch need not be one of this one.
  if (m_asked.program != AccessWish().program) {
    wantPart();
    wantGrid();
  }
}

void AccessController::failGrid(const InspectionPointer &reply) {
  m_view->setGridFacts(nullptr,
                       tr("The other programs are not counted: %1.").arg(whyFailed(*reply)));
}

} // namespace tilescope::app
