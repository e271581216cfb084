// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StepRoom.h"

#include "app/ide/docks/BorrowedRoom.h"
#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "views/step/StepView.h"

#include <QMainWindow>

#include <algorithm>

namespace tilescope::app {

StepRoom::StepRoom(QMainWindow *window, DockSet *docks, ViewDock *dock, views::StepView *view)
    : QObject(window), m_window(window), m_docks(docks), m_dock(dock), m_view(view) {
  m_room = new BorrowedRoom(dock, window, &docks->maximized(),
                            [this] { return m_hasBegun || m_view->hasState() ? wanted() : 0; });
}

/// What is stepped is in the editor and in the view: both are in sight. The keyboard stays.
void StepRoom::show(bool hasBegun) {
  if (m_docks->maximized().view() != m_dock)
    m_docks->maximized().restore();
  if (!hasBegun && m_dock->isHidden())
    return;
  m_dock->show();
  m_dock->raise();
  // The view that it covers gives its room back before there is a state to show.
  m_hasBegun |= hasBegun;
  if (hasBegun)
    m_room->take(wanted());
}

int StepRoom::wanted() const {
  return std::min(m_view->usefulHeight(), roomToBorrow(*m_window, *m_docks));
}

} // namespace tilescope::app
