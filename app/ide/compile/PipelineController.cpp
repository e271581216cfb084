// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/PipelineController.h"

#include "views/pipeline/PipelineView.h"

namespace tilescope::app {

PipelineController::PipelineController(CompileBackend *backend, CompileController *compile,
                                       views::PipelineView *view, QObject *parent)
    : PlannedController(backend, compile, view,
                        {tr("The text does not compile as far as TTGIR, where loops are pipelined: "
                            "Problems says why."),
                         tr("These are the loops of the "
                            "last one that did."),
                         tr("Looking at the loops of `%1`…"), tr("The loops are not known: %1.")},
                        parent),
      m_view(view) {
  setOnlyOfGpus(tr("it shows how loops are pipelined in TTGIR"));
}

void PipelineController::want(compiler::InspectMessage &message) const {
  message.loops = true;
  // How many iterations there are.
  message.launchPlan = m_compile->latest()->result()->launch.plan;
  message.onlyNumbers = true;
}

void PipelineController::show(const compiler::InspectDoneReply &reply) {
  m_view->setContent(std::make_shared<const std::vector<compiler::LoopFacts>>(reply.loops));
}

} // namespace tilescope::app
