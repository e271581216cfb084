// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/PointedView.h"

#include "app/ide/docks/ViewDock.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <utility>

namespace tilescope::app {

PointedView::PointedView(QObject *parent) : QObject(parent) {
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this] { m_dock = nullptr; });
}

ViewDock *PointedView::dock() const { return qobject_cast<ViewDock *>(m_dock.data()); }

void PointedView::set(ViewDock *dock) { m_dock = dock; }

/// The dock that a widget is in, or null.
static ViewDock *dockOf(QObject *widget) {
  while (widget && !qobject_cast<ViewDock *>(widget))
    widget = widget->parent();
  return static_cast<ViewDock *>(widget);
}

bool PointedView::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()) {
    const quint64 when = static_cast<QMouseEvent *>(event)->timestamp();
    if (when != std::exchange(m_pressedAt, when))
      m_dock = dockOf(watched);
  } else if (event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isCommand = key->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    if (!isCommand && !key->text().isEmpty())
      m_dock = nullptr;
  }
  return QObject::eventFilter(watched, event);
}

} // namespace tilescope::app
