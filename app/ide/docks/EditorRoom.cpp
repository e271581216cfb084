// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/EditorRoom.h"

#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "views/common/Theme.h"

#include <QFontMetrics>
#include <QMainWindow>
#include <QStatusBar>

#include <algorithm>

namespace tilescope::app {

static constexpr int kColumns = 60;
/// Line numbers, marks and folds before the code, and the scroll bar behind it.
static constexpr int kMarginsPx = 84;
/// Of the window's height, in percent.
static constexpr int kHeightShare = 45;

EditorRoom::EditorRoom(QMainWindow *window, const MaximizedView *maximized,
                       Qt::Orientation direction)
    : QObject(window), m_window(window), m_maximized(maximized), m_direction(direction) {
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &EditorRoom::note);
}

int EditorRoom::kept() const {
  if (m_direction == Qt::Vertical)
    return m_window->height() * kHeightShare / 100;
  const int columns = QFontMetrics(views::codeFont()).horizontalAdvance(u'0') * kColumns;
  return std::min(columns + views::scaledPx(kMarginsPx), m_window->width() / 2);
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
  if (before > now)
    leave();
  else if (m_isSqueezed && before < now)
    takeBack(before);
  else if (before > 0 && before < now && m_direction == Qt::Horizontal)
    grow();
}

/// What is beside the editor keeps its share of a window that becomes wider: Qt would give all of it
/// to the editor, and columns would stay as narrow as in the small window.
void EditorRoom::grow() {
  if (m_maximized->view() || m_extentsOf <= 0)
    return;
  // Once the window has laid itself out.
  QTimer::singleShot(0, this, [this, extents = m_extents, of = m_extentsOf] {
    if (extent(*m_window) > of && !m_maximized->view())
      resize(extents, extent(*m_window), of);
  });
}

void EditorRoom::leave() {
  const QWidget *editor = m_window->centralWidget();
  const int missing = kept() - extent(*editor);
  const int before = room();
  if (missing <= 0 || before <= 0 || m_maximized->view() || !editor->isVisible())
    return;
  m_isSqueezed = true;
  m_squeezed.clear();
  resize(extents(), std::max(0, before - missing), before);
}

void EditorRoom::takeBack(int before) {
  if (m_maximized->view() || m_extentsOf <= 0)
    return;
  if (!m_squeezed.empty() && m_squeezed != extents()) {
    m_isSqueezed = false;
    m_extents = extents();
    m_extentsOf = before;
    if (m_direction == Qt::Horizontal)
      grow();
    return;
  }
  const int now = std::min(extent(*m_window), m_extentsOf);
  resize(m_extents, now, m_extentsOf);
  m_isSqueezed = extent(*m_window) < m_extentsOf;
}

void EditorRoom::keep(const QDockWidget *dock, bool isFloating) {
  if (m_maximized->view())
    return;
  if (isFloating) {
    m_beforeFloating[dock] = m_extents;
    return;
  }
  const auto before = m_beforeFloating.extract(dock);
  if (before.empty())
    return;
  // Qt has its own idea of how large a view is that comes back, a moment later.
  QTimer::singleShot(0, this, [this, extents = before.mapped()] { resize(extents); });
}

void EditorRoom::noteLater(bool isByWindow) {
  // Other sizes in a window that has shrunk are the user's.
  if (isByWindow || !m_isSqueezed)
    m_timer.start(0);
}

void EditorRoom::note() {
  if (m_maximized->view())
    return;
  if (m_isSqueezed) {
    m_squeezed = extents();
    return;
  }
  m_extents = extents();
  m_extentsOf = extent(*m_window);
}

} // namespace tilescope::app
