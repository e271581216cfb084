// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"
#include "views/access/AccessContent.h"

namespace tilescope::views {
class AccessView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the accesses of the newest compile looked at while the Access view is in sight: first those
/// of one program, which are drawn, then those of the whole grid, which are only counted. The next
/// key stops either. GUI thread.
class AccessController : public PictureController {
  Q_OBJECT
public:
  AccessController(CompileBackend *backend, CompileController *compile, views::AccessView *view,
                   QObject *parent);

  /// There is nothing to look at, and why.
  void clear(const QString &why);

private:
  /// What the worker is asked for; 0: nothing.
  struct Asked {
    compiler::JobId job = 0;
    uint64_t revision = 0;
    /// Nothing: the whole grid.
    std::optional<views::AccessWish> wish;
  };

  void begin() override;
  void stop() override;
  void startOver() override;
  /// Asks for what is next.
  void advance();
  void ask(std::optional<views::AccessWish> wish);
  void take(const InspectionPointer &reply) override;
  void setStaleNote(const QString &note) override;
  void show(const Asked &asked, const InspectionPointer &reply);
  void fail(const Asked &asked, const InspectionPointer &reply);

  views::AccessView *m_view;
  Asked m_asked;
  std::optional<views::AccessWish> m_wish;
  bool m_wantsGrid = false;
  /// Of the newest result that is looked at; 0: none is. Of the one that is shown.
  uint64_t m_revision = 0;
  uint64_t m_shownRevision = 0;
};

} // namespace tilescope::app
