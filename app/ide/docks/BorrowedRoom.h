// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

#include <functional>

class QDockWidget;
class QMainWindow;

namespace tilescope::app {

class DockSet;
class MaximizedView;
class ViewDock;

/// What a view at the bottom may take of the window's height by itself, in pixels.
int roomToBorrow(const QMainWindow &window, const DockSet &docks);

/// The height that a view takes of the window while it is in front of its tabs, and gives back when
/// another view covers it. A height that the user has set since stays.
class BorrowedRoom : public QObject {
  Q_OBJECT
public:
  /// `wanted`: the height in pixels that the view needs now; 0: as it is.
  BorrowedRoom(ViewDock *dock, QMainWindow *window, const MaximizedView *maximized,
               std::function<int()> wanted);

  /// The view came into sight or out of it, or needs another height.
  void follow();
  /// For a view that is about to be in front.
  void take(int height);

private:
  void giveBack();
  /// Null: the view takes no room.
  BorrowedRoom *roomOf(const QDockWidget *dock) const;
  /// Takes its room in place of another view, before which the height was `before`.
  void inherit(int before);

  ViewDock *m_dock;
  QMainWindow *m_window;
  const MaximizedView *m_maximized;
  std::function<int()> m_wanted;
  /// Of the place that the view shares with others; 0: it has taken nothing.
  int m_before = 0;
  int m_taken = 0;
};

} // namespace tilescope::app
