// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

class QMainWindow;

namespace tilescope::views {
class StepView;
}

namespace tilescope::app {

class DockSet;
class ViewDock;

/// The room that the Step view takes of the place that it shares with others, and gives back.
class StepRoom : public QObject {
  Q_OBJECT
public:
  StepRoom(QMainWindow *window, DockSet *docks, ViewDock *dock, views::StepView *view);

  /// The user steps; `hasBegun`: something has begun, so that a view that is closed is opened.
  void show(bool hasBegun);

private:
  void give();
  /// The view has come into sight, or out of it.
  void follow();

  QMainWindow *m_window;
  DockSet *m_docks;
  ViewDock *m_dock;
  views::StepView *m_view;
  /// Before it took more, and since; 0: it has not taken more.
  int m_heightBefore = 0;
  int m_height = 0;
};

} // namespace tilescope::app
