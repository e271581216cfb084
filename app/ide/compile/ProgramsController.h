// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

namespace tilescope::views {
class ProgramsView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the programs of the newest compile traced while the Programs view is in sight: first those
/// that it draws, then the whole grid, or as much of it as there is time and room for. The next key
/// stops either. GUI thread.
class ProgramsController : public PictureController {
  Q_OBJECT
public:
  ProgramsController(CompileBackend *backend, CompileController *compile, views::ProgramsView *view,
                     QObject *parent);

  /// There is nothing to look at, and why.
  void clear(const QString &why);

private:
  /// What the worker is asked for; 0: nothing.
  struct Asked {
    compiler::JobId job = 0;
    uint64_t revision = 0;
    bool isGrid = false;
    compiler::ProgramSample programs;
  };

  void begin() override;
  void stop() override;
  void startOver() override;
  /// Asks for what is next.
  void advance();
  void ask(bool isGrid, const compiler::ProgramSample &programs);
  void take(const InspectionPointer &reply) override;
  void setStaleNote(const QString &note) override;
  void show(const Asked &asked, const InspectionPointer &reply);
  void fail(const Asked &asked, const InspectionPointer &reply);
  /// Fewer programs, if there are fewer; `why` the last ones could not be traced.
  void thinOut(const QString &why);

  views::ProgramsView *m_view;
  Asked m_asked;
  std::optional<compiler::ProgramSample> m_wish;
  bool m_wantsGrid = false;
  /// Every how many-th program of the grid is wanted, and how many there are.
  uint64_t m_stride = 1, m_numPrograms = 0;
  /// Of the newest result that is looked at; 0: none is. Of the one that is shown.
  uint64_t m_revision = 0;
  uint64_t m_shownRevision = 0;
};

} // namespace tilescope::app
