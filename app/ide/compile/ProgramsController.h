// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/LaunchedController.h"

namespace tilescope::views {
class ProgramsView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the programs of the newest compile traced while the Programs view is in sight: those that it
/// draws, and the whole grid, or as much of it as there is time and room for. GUI thread.
class ProgramsController : public LaunchedController {
  Q_OBJECT
public:
  ProgramsController(CompileBackend *backend, CompileController *compile, views::ProgramsView *view,
                     QObject *parent);

private:
  void startLooking() override { m_stride = 1; }
  void fill(compiler::InspectMessage &message, bool isGrid) override;
  void showPart(const InspectionPointer &reply, bool isOther) override;
  void showGrid(const InspectionPointer &reply) override;
  void failPart(const InspectionPointer &reply, bool isShown) override;
  void failGrid(const InspectionPointer &reply) override;
  void countPrograms(const InspectionPointer &reply);
  /// Fewer programs, if there are fewer; `why` the last ones could not be traced.
  void thinOut(const QString &why);

  views::ProgramsView *m_view;
  /// The part that was asked for last.
  compiler::ProgramSample m_asked;
  /// Every how many-th program of the grid is wanted, and how many there are.
  uint64_t m_stride = 1, m_numPrograms = 0;
};

} // namespace tilescope::app
