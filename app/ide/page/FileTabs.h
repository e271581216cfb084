// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/files/DiskWatch.h"
#include "app/ide/page/AwaitedTabs.h"

#include <QTabWidget>

#include <vector>

namespace tilescope::app {

class EditorPage;

/// The files that are open, a tab each, and the watch on the disk for them.
class FileTabs : public QTabWidget {
  Q_OBJECT
public:
  explicit FileTabs(QWidget *parent);

  /// Those of the session that are still to come. Who looks for a file, or goes to a neighbor, has all of them come.
  AwaitedTabs &awaited() { return *m_awaited; }
  const AwaitedTabs &awaited() const { return *m_awaited; }
  /// The current page, or null.
  EditorPage *page() const;
  std::vector<EditorPage *> pages() const;
  /// Adds a tab and brings it to the front.
  void add(EditorPage *page);
  /// Adds a tab where it is said; the one in front stays there.
  void insert(EditorPage *page, int index);
  /// Brings the tab of a file to the front; null when it is not open.
  EditorPage *showPath(const QString &path);
  /// Brings the next tab to the front, or the previous one for -1.
  void step(int by);
  /// What distinguishes the file from the others that are open.
  QString title(const EditorPage &page) const;
  /// Titles of the tabs, and what is watched on the disk.
  void refresh();
  /// Every file looks whether it has changed on the disk.
  void checkDisk();
  /// After the size of text has changed.
  void fitCloseButtons();

private:
  AwaitedTabs *m_awaited;
  DiskWatch m_watch;
};

} // namespace tilescope::app
