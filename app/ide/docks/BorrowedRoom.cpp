// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/BorrowedRoom.h"

#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"

#include <QMainWindow>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilescope::app {

int roomToBorrow(const QMainWindow &window, const DockSet &docks) {
  constexpr int kMostPercent = 45, kMostPercentBelowPictures = 34;
  // Above it are pictures, which need some, too.
  const int share = docks.workspace() == Workspace::See ? kMostPercentBelowPictures : kMostPercent;
  return window.height() * share / 100;
}

BorrowedRoom::BorrowedRoom(ViewDock *dock, QMainWindow *window, const MaximizedView *maximized,
                           std::function<int()> wanted)
    : QObject(window), m_dock(dock), m_window(window), m_maximized(maximized),
      m_wanted(std::move(wanted)) {
  // The dock has its place only behind the event that shows it.
  connect(dock, &QDockWidget::visibilityChanged, this, &BorrowedRoom::follow, Qt::QueuedConnection);
}

void BorrowedRoom::follow() {
  if (m_maximized->view() || m_dock->isFloating())
    return;
  if (m_dock->isInFront())
    take(m_wanted());
  else
    giveBack();
}

void BorrowedRoom::take(int height) {
  if (m_dock->isFloating() || m_dock->height() >= height)
    return;
  if (m_before == 0)
    m_before = m_dock->height();
  m_taken = height;
  m_window->resizeDocks({m_dock}, {height}, Qt::Vertical);
}

BorrowedRoom *BorrowedRoom::roomOf(const QDockWidget *dock) const {
  for (auto *room : m_window->findChildren<BorrowedRoom *>(Qt::FindDirectChildrenOnly))
    if (room->m_dock == dock)
      return room;
  return nullptr;
}

void BorrowedRoom::inherit(int before) {
  const int wanted = std::max(before, m_wanted());
  m_before = wanted > before ? before : 0;
  m_taken = wanted;
  m_window->resizeDocks({m_dock}, {wanted}, Qt::Vertical);
}

void BorrowedRoom::giveBack() {
  constexpr int kSameHeight = 12;
  const int before = std::exchange(m_before, 0);
  for (QDockWidget *beside : m_window->tabifiedDockWidgets(m_dock)) {
    if (before == 0 || !beside->isVisible() || beside->visibleRegion().isEmpty())
      continue;
    BorrowedRoom *heir = roomOf(beside);
    const bool isAsTaken = std::abs(beside->height() - m_taken) <= kSameHeight;
    // It takes room itself, beginning with what there was before either of them.
    if (heir && (heir->m_before > 0 || isAsTaken))
      heir->inherit(before);
    else if (isAsTaken)
      m_window->resizeDocks({beside}, {before}, Qt::Vertical);
  }
}

} // namespace tilescope::app
