// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/PopupPlacement.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace tilescope::views {

static constexpr int kGapPx = 3;

QRect placeBeside(QSize size, const QRect &anchor, const QRect &screen, PopupSide side) {
  size = size.boundedTo(screen.size());
  const int above = anchor.top() - kGapPx - size.height();
  const int below = anchor.bottom() + 1 + kGapPx;
  const bool fitsAbove = above >= screen.top();
  const bool fitsBelow = below + size.height() <= screen.bottom() + 1;
  const bool isAbove = side == PopupSide::Above ? fitsAbove || !fitsBelow : fitsAbove && !fitsBelow;
  const int lowest = screen.bottom() + 1 - size.height();
  const int rightmost = screen.right() + 1 - size.width();
  return {QPoint(std::clamp(anchor.left(), screen.left(), rightmost),
                 std::clamp(isAbove ? above : below, screen.top(), lowest)),
          size};
}

QRect screenAround(const QRect &anchor, const QWidget &widget) {
  const QScreen *screen = QGuiApplication::screenAt(anchor.center());
  return (screen ? screen : widget.screen())->availableGeometry();
}

void makePopup(QWidget &widget) {
  widget.setWindowFlags(Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowDoesNotAcceptFocus);
  widget.setAttribute(Qt::WA_ShowWithoutActivating);
  widget.setAttribute(Qt::WA_StyledBackground);
  widget.setFocusPolicy(Qt::NoFocus);
  widget.setProperty("popup", true);
}

} // namespace tilescope::views
