// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

class QMainWindow;

namespace tilescope::views {
class StepView;
}

namespace tilescope::app {

class BorrowedRoom;
class DockSet;
class ViewDock;

/// The Step view, and the room that it takes of the place that it shares with others, in sight while
/// the user steps.
class StepRoom : public QObject {
  Q_OBJECT
public:
  StepRoom(QMainWindow *window, DockSet *docks, ViewDock *dock, views::StepView *view);

  /// The user steps; `hasBegun`: something has begun, so that a view that is closed is opened.
  void show(bool hasBegun);

private:
  int wanted() const;

  QMainWindow *m_window;
  DockSet *m_docks;
  ViewDock *m_dock;
  views::StepView *m_view;
  BorrowedRoom *m_room;
  /// Something was begun: its state is shown as soon as it is there.
  bool m_hasBegun = false;
};

} // namespace tilescope::app
