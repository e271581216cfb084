// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ZoomWheel.h"

#include "views/common/Theme.h"

#include <QApplication>
#include <QWheelEvent>
#include <QWidget>

namespace tilescope::app {

/// At most one zoom is painted in a frame; what has piled up behind a slow one comes first.
static constexpr int kFrameMs = 16;

ZoomWheel::ZoomWheel(QWidget *window) : QObject(window), m_window(window) {
  m_frame.setSingleShot(true);
  m_frame.setInterval(kFrameMs);
  connect(&m_frame, &QTimer::timeout, this, &ZoomWheel::zoom);
  qApp->installEventFilter(this);
}

/// Also the part of a picture that scrolls, to which the wheel comes first.
static bool zoomsItself(const QWidget *widget) {
  const QWidget *around = widget->parentWidget();
  return widget->property(views::kZoomsByWheel).toBool() ||
         (around && around->property(views::kZoomsByWheel).toBool());
}

bool ZoomWheel::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::Wheel)
    return false;
  auto *wheel = static_cast<QWheelEvent *>(event);
  const auto *widget = qobject_cast<QWidget *>(watched);
  if (!(wheel->modifiers() & Qt::ControlModifier) || !widget || zoomsItself(widget))
    return false;
  const QWidget *top = widget->window();
  if (top != m_window && top->parentWidget() != m_window)
    return false;
  m_turned += wheel->angleDelta().y();
  if (!m_frame.isActive())
    m_frame.start();
  wheel->accept();
  return true;
}

void ZoomWheel::zoom() {
  const int steps = m_turned / QWheelEvent::DefaultDeltasPerStep;
  m_turned %= QWheelEvent::DefaultDeltasPerStep;
  if (steps != 0)
    Q_EMIT zoomRequested(steps);
}

} // namespace tilescope::app
