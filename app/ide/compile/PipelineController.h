// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PlannedController.h"

namespace tilescope::views {
class PipelineView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the loops of the newest compile looked at while the Pipeline view is in sight. GUI thread.
class PipelineController : public PlannedController {
  Q_OBJECT
public:
  PipelineController(CompileBackend *backend, CompileController *compile, views::PipelineView *view,
                     QObject *parent);

private:
  void want(compiler::InspectMessage &message) const override;
  void show(const compiler::InspectDoneReply &reply) override;

  views::PipelineView *m_view;
};

} // namespace tilescope::app
