// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ViewDock.h"

#include "app/ide/docks/DockTitle.h"
#include "app/ide/docks/ViewDescriptions.h"
#include "app/ide/docks/WindowPlacement.h"
#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QScreen>

#include <utility>

namespace tilescope::app {

/// A view may be made this small, so that large text never makes the window outgrow its screen.
static constexpr QSize kSmallestView{90, 40};
/// A view that becomes a window moves by this: exactly over its old place it would look as if
/// nothing had happened.
static constexpr int kStepAside = 40;

ViewDock::ViewDock(const QString &id, const QString &title, QWidget *view, QWidget *header,
                   QWidget *window)
    : QDockWidget(title, window), m_title(new DockTitle(this)) {
  setObjectName(id);
  view->setMinimumSize(kSmallestView);
  setWidget(view);
  setTitleBarWidget(m_title);
  // As a window of its own, too, it takes files.
  setAcceptDrops(true);
  m_title->setToolTip(viewDescription(title));
  if (header)
    m_title->setHeader(header);
  connect(m_title, &DockTitle::maximizeRequested, this, &ViewDock::maximizeRequested);
  connect(m_title, &DockTitle::floatRequested, this, &ViewDock::toggleFloating);
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

void ViewDock::toggleFloating() {
  const QPoint before = mapToGlobal(QPoint());
  setFloating(!isFloating());
  if (isFloating() && (pos() - before).manhattanLength() < kStepAside) {
    const QPoint aside(kStepAside, kStepAside);
    const bool fits = screen()->availableGeometry().contains(QRect(before + aside, size()));
    move(fits ? before + aside : before - aside);
    keepOnScreen(*this);
  }
  raise();
  focusView();
}

void ViewDock::showEvent(QShowEvent *event) {
  QDockWidget::showEvent(event);
  // A view that was closed when the window opened has not heard of the program's font.
  if (!std::exchange(m_wasShown, true))
    for (QWidget *part : findChildren<QWidget *>()) {
      QEvent change(QEvent::ApplicationFontChange);
      QCoreApplication::sendEvent(part, &change);
    }
}

void ViewDock::paintEvent(QPaintEvent *event) {
  QDockWidget::paintEvent(event);
  if (!isFloating())
    return;
  QPainter painter(this);
  painter.fillRect(rect(), views::theme()[views::ColorRole::BorderStrong]);
}

} // namespace tilescope::app
