// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/ViewDock.h"

#include "app/ide/DockTitle.h"
#include "views/common/Theme.h"

#include <QPainter>

namespace tilescope::app {

/// A view may be made this small, so that large text never makes the window outgrow its screen.
static constexpr QSize kSmallestView{90, 40};

ViewDock::ViewDock(const QString &id, const QString &title, QWidget *view, QWidget *window)
    : QDockWidget(title, window) {
  setObjectName(id);
  view->setMinimumSize(kSmallestView);
  setWidget(view);
  auto *titleBar = new DockTitle(this);
  setTitleBarWidget(titleBar);
  connect(titleBar, &DockTitle::maximizeRequested, this, &ViewDock::maximizeRequested);
}

bool ViewDock::isInFront() const { return isVisible() && !visibleRegion().isEmpty(); }

void ViewDock::focusView() {
  QWidget *view = widget();
  QWidget *target = view->focusProxy() || view->focusPolicy() != Qt::NoFocus ? view : nullptr;
  for (QWidget *part : view->findChildren<QWidget *>())
    if (!target && part->isVisible() && part->isEnabled() && (part->focusPolicy() & Qt::TabFocus))
      target = part;
  if (isFloating())
    activateWindow();
  (target ? target : view)->setFocus(Qt::ShortcutFocusReason);
}

void ViewDock::paintEvent(QPaintEvent *event) {
  QDockWidget::paintEvent(event);
  if (!isFloating())
    return;
  QPainter painter(this);
  painter.fillRect(rect(), views::theme()[views::ColorRole::Panel]);
  painter.setPen(views::theme()[views::ColorRole::BorderStrong]);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace tilescope::app
