// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/SharedController.h"

#include "views/shared/SharedView.h"

namespace tilescope::app {

SharedController::SharedController(CompileBackend *backend, CompileController *compile,
                                   views::SharedView *view, QObject *parent)
    : PlannedController(backend, compile, view,
                        {tr("The text does not compile as far as TTGIR, where shared memory is "
                            "laid out: Problems says why."),
                         tr("Stale: the newest text does not compile. This is the shared memory of "
                            "the last one that did."),
                         tr("Looking at the shared memory of `%1`…"),
                         tr("The shared memory is not known: %1.")},
                        parent),
      m_view(view) {}

void SharedController::show(const compiler::InspectDoneReply &reply) {
  views::SharedContent content{reply.shared, {}};
  content.lines = QString::fromStdString(m_compile->request().text).split(u'\n');
  m_view->setContent(std::make_shared<const views::SharedContent>(std::move(content)));
}

} // namespace tilescope::app
