// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PlannedController.h"

#include <optional>

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

  /// The IR behind a pass, at which all views are; nothing: the end of the compile.
  struct Behind {
    /// Names the pass for the user.
    QString pass;
    compiler::PassRecord record;
  };
  void setBehind(std::optional<Behind> behind);

private:
  void want(compiler::InspectMessage &message) const override;
  void show(const compiler::InspectDoneReply &reply) override;
  void showNote() override;

  views::SharedView *m_view;
  std::optional<Behind> m_behind;
};

} // namespace tilescope::app
