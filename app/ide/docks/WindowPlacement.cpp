// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/WindowPlacement.h"

#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace tilescope::app {

/// The frame that a window manager puts around a window, for windows that it has not framed yet.
static constexpr QMargins kUsualFrame{4, 32, 4, 4};

static QMargins frameOf(const QWidget &window) {
  const QRect outer = window.frameGeometry(), inner = window.geometry();
  const QMargins frame(inner.left() - outer.left(), inner.top() - outer.top(),
                       outer.right() - inner.right(), outer.bottom() - inner.bottom());
  return frame.isNull() && !window.isVisible() ? kUsualFrame : frame;
}

QRect fittedInto(QRect rectangle, const QRect &available) {
  rectangle.setSize(rectangle.size().boundedTo(available.size()));
  rectangle.moveLeft(
      std::clamp(rectangle.left(), available.left(), available.right() + 1 - rectangle.width()));
  rectangle.moveTop(
      std::clamp(rectangle.top(), available.top(), available.bottom() + 1 - rectangle.height()));
  return rectangle;
}

QSize sizeOnScreen(const QWidget &window, QSize wanted) {
  return wanted.boundedTo(
      window.screen()->availableGeometry().marginsRemoved(frameOf(window)).size());
}

void keepOnScreen(QWidget &window) {
  if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))
    return;
  const QRect room = window.screen()->availableGeometry().marginsRemoved(frameOf(window));
  const QRect fitted = fittedInto(window.geometry(), room);
  if (fitted != window.geometry())
    window.setGeometry(fitted);
}

} // namespace tilescope::app
