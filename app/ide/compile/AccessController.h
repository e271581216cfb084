// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/LaunchedController.h"
#include "views/access/AccessContent.h"

namespace tilescope::views {
class AccessView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the accesses of the newest compile looked at while the Access view is in sight: those of one
/// program, which are drawn, and those of the whole grid. GUI thread.
class AccessController : public LaunchedController {
  Q_OBJECT
public:
  AccessController(CompileBackend *backend, CompileController *compile, views::AccessView *view,
                   QObject *parent);

private:
  void fill(compiler::InspectMessage &message, bool isGrid) override;
  void showPart(const InspectionPointer &reply, bool isOther) override;
  void showGrid(const InspectionPointer &reply) override;
  void failPart(const InspectionPointer &reply, bool isShown) override;
  void failGrid(const InspectionPointer &reply) override;

  views::AccessView *m_view;
  /// The part that was asked for last.
  views::AccessWish m_asked;
};

} // namespace tilescope::app
