// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PlannedController.h"

namespace tilescope::views {
class SharedView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the shared memory of the newest compile looked at while the Shared memory view is in sight. A
/// kernel that takes more than there is is shown as well. GUI thread.
class SharedController : public PlannedController {
  Q_OBJECT
public:
  SharedController(CompileBackend *backend, CompileController *compile, views::SharedView *view,
                   QObject *parent);

private:
  void want(compiler::InspectMessage &message) const override { message.sharedMemory = true; }
  void show(const compiler::InspectDoneReply &reply) override;

  views::SharedView *m_view;
};

} // namespace tilescope::app
