// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "views/access/AccessContent.h"

#include <QTimer>

namespace tilescope::views {
class AccessView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the accesses of the newest compile looked at while the Access view is in sight: first those
/// of one program, which are drawn, then those of the whole grid, which are only counted. The next
/// key stops either. GUI thread.
class AccessController : public QObject {
  Q_OBJECT
public:
  AccessController(CompileBackend *backend, CompileController *compile, views::AccessView *view,
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
    /// Nothing: the whole grid.
    std::optional<views::AccessWish> wish;
  };

  /// Looks at the newest result, unless that was done.
  void begin();
  /// Looks at nothing any longer.
  void stop();
  /// Asks for what is next.
  void advance();
  void ask(std::optional<views::AccessWish> wish);
  void take(const InspectionPointer &reply);
  void show(const Asked &asked, const InspectionPointer &reply);
  void fail(const Asked &asked, const InspectionPointer &reply);
  /// What is shown is of another kernel, or of a file that is closed.
  bool showsOther(const compiler::CompileResult &result) const;
  /// The newest result is there to its end.
  bool isReady() const;

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::AccessView *m_view;
  Asked m_asked;
  std::optional<views::AccessWish> m_wish;
  bool m_wantsGrid = false;
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
