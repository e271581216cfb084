// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/EditorRoom.h"

#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "views/common/EditorMetrics.h"

#include <QMainWindow>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace tilescope::app {

static constexpr int kColumns = 60;
/// Of the window's height, in percent.
static constexpr int kHeightShare = 45;

EditorRoom::EditorRoom(QMainWindow *window, const MaximizedView *maximized,
                       Qt::Orientation direction)
    : QObject(window), m_window(window), m_maximized(maximized), m_direction(direction) {
  m_timer.setSingleShot(true);
  m_fitTimer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &EditorRoom::note);
  connect(&m_fitTimer, &QTimer::timeout, this, &EditorRoom::fit);
}

int EditorRoom::kept() const {
  if (m_direction == Qt::Vertical)
    return m_window->height() * kHeightShare / 100;
  return std::min(views::editorWidth(kColumns), m_window->width() / 2);
}

int EditorRoom::extent(const QWidget &widget) const {
  return m_direction == Qt::Horizontal ? widget.width() : widget.height();
}

QList<QDockWidget *> EditorRoom::beside() const {
  const int areas = m_direction == Qt::Horizontal
                        ? Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea
                        : Qt::TopDockWidgetArea | Qt::BottomDockWidgetArea;
  QList<QDockWidget *> found;
  for (ViewDock *dock : m_window->findChildren<ViewDock *>(Qt::FindDirectChildrenOnly))
    if (dock->isInFront() && !dock->isFloating() && (m_window->dockWidgetArea(dock) & areas))
      found << dock;
  return found;
}

int EditorRoom::room() const {
  const QWidget *editor = m_window->centralWidget();
  if (m_direction == Qt::Horizontal)
    return m_window->width() - editor->width();
  return m_window->height() - editor->mapTo(m_window, QPoint()).y() - editor->height() -
         m_window->statusBar()->height();
}

EditorRoom::Extents EditorRoom::extents() const {
  Extents found;
  for (const QDockWidget *dock : beside())
    found[dock] = extent(*dock);
  return found;
}

void EditorRoom::resize(const Extents &extents, int numerator, int denominator) {
  QList<QDockWidget *> docks;
  QList<int> sizes;
  for (QDockWidget *dock : beside())
    if (const auto known = extents.find(dock); known != extents.end()) {
      docks << dock;
      sizes << known->second * numerator / denominator;
    }
  m_window->resizeDocks(docks, sizes, m_direction);
}

void EditorRoom::follow(int before, int now) {
  if (before <= 0 || before == now || m_maximized->view() || m_set.window <= 0)
    return;
  fit();
  // Qt gives what a window gains to the editor, once it has laid itself out.
  m_fitTimer.start(0);
}

void EditorRoom::fit() {
  const int now = extent(*m_window);
  if (m_maximized->view() || m_set.room <= 0 || !m_window->centralWidget()->isVisible())
    return;
  m_isFollowing = true;
  noteLater();
  // An editor that was made smaller than that stays so.
  const int editor = std::min(kept(), m_set.editor);
  const int around = m_set.window - m_set.editor - m_set.room;
  const int share = static_cast<int>(int64_t{m_set.room} * now / m_set.window);
  resize(m_set.views, std::clamp(now - around - editor, 0, share), m_set.room);
}

void EditorRoom::leave() {
  const QWidget *editor = m_window->centralWidget();
  const int missing = kept() - extent(*editor);
  const int before = room();
  if (missing <= 0 || before <= 0 || m_maximized->view() || !editor->isVisible())
    return;
  resize(extents(), std::max(0, before - missing), before);
}

void EditorRoom::setAgain(const Sizes &sizes) {
  if (sizes.room <= 0)
    return;
  m_set = sizes;
  m_isFollowing = true;
  m_fitTimer.start(0);
}

void EditorRoom::forget() {
  m_fitTimer.stop();
  m_isFollowing = false;
  m_known.clear();
  noteLater();
}

void EditorRoom::keep(const QDockWidget *dock, bool isFloating) {
  if (m_maximized->view())
    return;
  if (isFloating) {
    m_beforeFloating[dock] = m_known;
    return;
  }
  const auto before = m_beforeFloating.extract(dock);
  if (before.empty())
    return;
  // Qt has its own idea of how large a view is that comes back, a moment later.
  QTimer::singleShot(0, this, [this, extents = before.mapped()] { resize(extents); });
}

void EditorRoom::note() {
  if (m_maximized->view())
    return;
  if (m_fitTimer.isActive())
    return noteLater();
  Extents now = extents();
  if (!std::exchange(m_isFollowing, false) && now != m_known)
    m_set = {now, extent(*m_window), extent(*m_window->centralWidget()), room()};
  m_known = std::move(now);
}

} // namespace tilescope::app
