// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::views {
class ProgramsView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the programs of the newest compile traced while the Programs view is in sight: first those
/// that it draws, then the whole grid, or as much of it as there is time and room for. The next key
/// stops either. GUI thread.
class ProgramsController : public QObject {
  Q_OBJECT
public:
  ProgramsController(CompileBackend *backend, CompileController *compile, views::ProgramsView *view,
                     QObject *parent);

  /// There is nothing to look at, and why.
  void clear(const QString &why);
  /// Nothing is looked at while the view is out of sight.
  void setInFront(bool isInFront);

private:
  /// What the worker is asked for; 0: nothing.
  struct Asked {
    compiler::JobId job = 0;
    uint64_t revision = 0;
    bool isGrid = false;
    compiler::ProgramSample programs;
  };

  /// Looks at the newest result, unless that was done.
  void begin();
  /// Looks at nothing any longer.
  void stop();
  /// Asks for what is next.
  void advance();
  void ask(bool isGrid, const compiler::ProgramSample &programs);
  void take(const InspectionPointer &reply);
  void show(const Asked &asked, const InspectionPointer &reply);
  void fail(const Asked &asked, const InspectionPointer &reply);
  /// Fewer programs, if there are fewer; `why` the last ones could not be traced.
  void thinOut(const QString &why);
  /// What is shown is of another kernel, or of a file that is closed.
  bool showsOther(const compiler::CompileResult &result) const;
  /// The newest result is there to its end.
  bool isReady() const;

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::ProgramsView *m_view;
  Asked m_asked;
  std::optional<compiler::ProgramSample> m_wish;
  bool m_wantsGrid = false;
  /// Every how many-th program of the grid is wanted, and how many there are.
  uint64_t m_stride = 1, m_numPrograms = 0;
  bool m_isInFront = false;
  /// Of the newest result that is looked at; 0: none is. Of the one that is shown.
  uint64_t m_revision = 0;
  uint64_t m_shownRevision = 0;
  /// What is shown is of this file and kernel.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  /// Runs down while what is shown is of an earlier text.
  QTimer m_staleTimer;
};

} // namespace tilescope::app
