// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ZoomWheel.h"

#include <QApplication>
#include <QWheelEvent>
#include <QWidget>

namespace tilescope::app {

ZoomWheel::ZoomWheel(QWidget *window) : QObject(window), m_window(window) {
  qApp->installEventFilter(this);
}

bool ZoomWheel::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::Wheel)
    return false;
  auto *wheel = static_cast<QWheelEvent *>(event);
  const auto *widget = qobject_cast<QWidget *>(watched);
  if (!(wheel->modifiers() & Qt::ControlModifier) || !widget)
    return false;
  const QWidget *top = widget->window();
  if (top != m_window && top->parentWidget() != m_window)
    return false;
  m_turned += wheel->angleDelta().y();
  const int steps = m_turned / QWheelEvent::DefaultDeltasPerStep;
  m_turned %= QWheelEvent::DefaultDeltasPerStep;
  if (steps != 0)
    Q_EMIT zoomRequested(steps);
  wheel->accept();
  return true;
}

} // namespace tilescope::app
