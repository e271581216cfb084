// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/SharedController.h"

#include "app/ide/compile/IrBehindPass.h"
#include "views/shared/SharedView.h"

namespace tilescope::app {

SharedController::SharedController(CompileBackend *backend, CompileController *compile,
                                   views::SharedView *view, QObject *parent)
    : PlannedController(backend, compile, view,
                        {tr("The text does not compile as far as TTGIR, where shared memory is "
                            "laid out: Problems says why."),
                         tr("This is the shared memory of the last text that "
                            "compiled."),
                         tr("Looking at the shared memory of `%1`…"),
                         tr("The shared memory is not known: %1.")},
                        parent),
      m_view(view) {
  setOnlyOfGpus(tr("it shows the shared memory of a multiprocessor"));
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
  look();
}

/// What is shown is not what the kernel ends with.
void SharedController::showNote() {
  if (m_view->hasContent())
    m_view->setStaleNote(m_behind ? tr("After %1, where the Passes view is.").arg(m_behind->pass)
                                  : QString());
}

void SharedController::want(compiler::InspectMessage &message) const {
  message.sharedMemory = true;
  // How many iterations the loops of rings have.
  message.launchPlan = m_compile->latest()->result()->launch.plan;
  if (m_behind)
    message.request = requestBehind(message.request, m_behind->record);
}

void SharedController::show(const compiler::InspectDoneReply &reply) {
  views::SharedContent content{reply.shared, {}};
  if (m_behind)
    moveToSource(m_behind->record.irMap, content.facts);
  content.lines = QString::fromStdString(m_compile->request().text).split(u'\n');
  m_view->setContent(std::make_shared<const views::SharedContent>(std::move(content)));
}

} // namespace tilescope::app
