// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/FocusOutline.h"

#include "views/common/Theme.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QPainter>

namespace tilescope::app {

static constexpr int kWidth = 2;

FocusOutline::FocusOutline(QMainWindow *window) : QWidget(window), m_window(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
    // Without a focus another program, or a menu, has the keyboard: it comes back to the view.
    if (now)
      follow(now);
  });
}

void FocusOutline::follow(QWidget *focus) {
  for (QWidget *at = focus; at; at = at->parentWidget())
    if (auto *dock = qobject_cast<QDockWidget *>(at);
        at == m_window->centralWidget() || (dock && dock->parentWidget() == m_window))
      return setView(at);
  if (focus->window() == m_window)
    setView(nullptr);
}

static void highlightTitle(QWidget *view, bool active) {
  const auto *dock = qobject_cast<QDockWidget *>(view);
  if (QWidget *title = dock ? dock->titleBarWidget() : nullptr)
    views::setStyleProperty(title, "active", active);
}

void FocusOutline::setView(QWidget *view) {
  if (m_view == view)
    return place();
  if (m_view) {
    m_view->removeEventFilter(this);
    highlightTitle(m_view, false);
  }
  m_view = view;
  if (m_view) {
    m_view->installEventFilter(this);
    highlightTitle(m_view, true);
  }
  place();
}

bool FocusOutline::eventFilter(QObject *, QEvent *event) {
  switch (event->type()) {
  case QEvent::Move:
  case QEvent::Resize:
  case QEvent::Show:
  case QEvent::Hide:
  case QEvent::ParentChange:
    place();
    break;
  default:
    break;
  }
  return false;
}

void FocusOutline::place() {
  if (!m_view || !m_view->isVisible()) {
    hide();
    return;
  }
  // A floating dock is a separate window.
  QWidget *window = m_view->window();
  if (parentWidget() != window)
    setParent(window);
  setGeometry(QRect(m_view->mapTo(window, QPoint()), m_view->size()));
  setMask(QRegion(rect()) - rect().adjusted(kWidth, kWidth, -kWidth, -kWidth));
  show();
  raise();
}

void FocusOutline::paintEvent(QPaintEvent *) {
  QPainter(this).fillRect(rect(), views::theme()[views::ColorRole::Accent]);
}

} // namespace tilescope::app
