// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/MaximizedView.h"

#include <QDockWidget>
#include <QKeyEvent>
#include <QMainWindow>
#include <QScreen>

#include <utility>

namespace tilescope::app {

MaximizedView::MaximizedView(QMainWindow *window) : QObject(window), m_window(window) {}

void MaximizedView::toggle(QWidget *view) {
  auto *dock = qobject_cast<QDockWidget *>(view);
  if (dock && dock->isFloating())
    return toggleFilled(dock);
  if (m_view)
    return restore();
  maximize(view);
}

void MaximizedView::show(QWidget *view) {
  if (m_view)
    m_view->disconnect(this);
  else
    m_before = m_window->saveState(kArrangementVersion);
  if (auto *dock = qobject_cast<QDockWidget *>(view); dock && dock->isFloating())
    dock->setFloating(false);
  showOnly(view);
}

void MaximizedView::maximize(QWidget *view) {
  m_before = m_window->saveState(kArrangementVersion);
  showOnly(view);
}

void MaximizedView::showOnly(QWidget *view) {
  m_view = view;
  for (QDockWidget *dock : m_window->findChildren<QDockWidget *>())
    if (dock != view && !dock->isFloating())
      dock->hide();
  m_window->centralWidget()->setVisible(view == m_window->centralWidget());
  view->show();
  m_window->installEventFilter(this);
  if (auto *dock = qobject_cast<QDockWidget *>(view))
    watch(dock);
}

void MaximizedView::watch(QDockWidget *dock) {
  // Closed or taken out, it leaves nothing in the window: what was there before comes back.
  const auto leave = [this, dock](auto act) {
    QMetaObject::invokeMethod(
        this,
        [this, dock, act] {
          if (m_view != dock)
            return;
          restore();
          act(dock);
        },
        Qt::QueuedConnection);
  };
  connect(dock, &QDockWidget::visibilityChanged, this, [dock, leave] {
    if (dock->isHidden())
      leave([](QDockWidget *closed) { closed->hide(); });
  });
  connect(dock, &QDockWidget::topLevelChanged, this, [leave](bool floating) {
    if (floating)
      leave([](QDockWidget *taken) { taken->setFloating(true); });
  });
}

void MaximizedView::restore() {
  QWidget *view = std::exchange(m_view, nullptr);
  if (!view)
    return;
  view->disconnect(this);
  m_window->removeEventFilter(this);
  m_window->centralWidget()->show();
  m_window->restoreState(m_before, kArrangementVersion);
}

void MaximizedView::makeRoomFor(const QWidget *next) {
  if (m_view != next)
    restore();
  std::erase_if(m_filled, [&](const auto &filled) {
    const auto &[dock, before] = filled;
    if (dock == next)
      return false;
    if (dock->isFloating() && dock->geometry() == dock->screen()->availableGeometry())
      dock->setGeometry(before);
    return true;
  });
}

bool MaximizedView::eventFilter(QObject *object, QEvent *event) {
  // Only what nothing inside has a use for comes to the window.
  if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
    return QObject::eventFilter(object, event);
  restore();
  return true;
}

void MaximizedView::toggleFilled(QDockWidget *dock) {
  const auto filled = m_filled.find(dock);
  const QRect screen = dock->screen()->availableGeometry();
  if (filled != m_filled.end() && dock->geometry() == screen) {
    dock->setGeometry(filled->second);
    m_filled.erase(filled);
    return;
  }
  m_filled[dock] = dock->geometry();
  dock->setGeometry(screen);
}

QByteArray MaximizedView::arrangement() const {
  return m_view ? m_before : m_window->saveState(kArrangementVersion);
}

} // namespace tilescope::app
