// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

#include <optional>

namespace tilescope::views {
class SharedView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the shared memory of the newest compile looked at while the Shared memory view is in sight.
/// It needs no launch, and a kernel that takes more than there is is shown as well. GUI thread.
class SharedController : public PictureController {
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
  void begin() override;
  void ask();
  void take(const InspectionPointer &reply) override;
  void stop() override { m_asked = 0; }

  void showNote();

  views::SharedView *m_view;
  std::optional<Behind> m_behind;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_asked = 0;
  /// Of what it is asked for.
  uint64_t m_revision = 0;
};

} // namespace tilescope::app
