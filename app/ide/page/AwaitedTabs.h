// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/Session.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <vector>

namespace tilescope::app {

class EditorPage;
class FileTabs;

/// The tabs of a session that are still to come. A start shows the one in front; the others follow one by one when
/// the window has been painted, whenever it has nothing else to do, each at its place:
///
///     session   a  b  C  d  e         C in front
///     shown     C  →  a C  →  a b C  →  a b C d  →  a b C d e
///
/// Until then they are part of the session, and who looks for a file has all of them come at once (`finish`). GUI thread.
class AwaitedTabs : public QObject {
  Q_OBJECT
public:
  /// Makes a page of a file, as the tab at `index`, and leaves the one in front there. Null: it cannot be.
  using Restore = std::function<EditorPage *(const SessionFile &file, int index)>;

  explicit AwaitedTabs(FileTabs *tabs);

  /// Restores the file with the id `front`, or the last one that can be; the others follow.
  void begin(std::vector<SessionFile> files, const QString &front, Restore restored);
  /// Restores all that are left.
  void finish();
  bool isOver() const { return m_numLeft == 0; }
  /// Adds those that are left to the files that are open, where they were among them.
  void addTo(std::vector<SessionFile> &open) const;

Q_SIGNALS:
  /// The last one has come.
  void over();

protected:
  /// Of the window: its first painting.
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  struct Tab {
    SessionFile file;
    QPointer<EditorPage> page;
    bool isAwaited = true;
  };
  EditorPage *restore(Tab &tab);
  void restoreNext();
  /// The nearest open page in front of a tab; null: none is.
  const EditorPage *pageBefore(const Tab &tab) const;

  FileTabs *m_tabs;
  Restore m_restore;
  std::vector<Tab> m_files;
  size_t m_numLeft = 0;
  bool m_isRestoring = false;
  QTimer m_turn;
};

} // namespace tilescope::app
