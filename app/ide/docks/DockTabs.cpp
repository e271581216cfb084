// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/DockTabs.h"

#include "views/common/IconButton.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace tilescope::app {

static constexpr int kLeastWidth = 80;

DockTabs::DockTabs(QWidget *parent)
    : QTabBar(parent),
      m_all(views::iconButton(QStringLiteral("down"), tr("All views at this place"),
                              tr("All views at this place"), this)) {
  setFocusPolicy(Qt::NoFocus);
  setDrawBase(false);
  setElideMode(Qt::ElideNone);
  setExpanding(false);
  setUsesScrollButtons(false);
  // Buttons would be stops of Tab, also those of the bar itself, which are not shown.
  for (QToolButton *button : findChildren<QToolButton *>())
    button->setFocusPolicy(Qt::NoFocus);
  m_all->setProperty("small", true);
  m_all->setPopupMode(QToolButton::InstantPopup);
  m_all->setMenu(new QMenu(m_all));
  m_all->hide();
  connect(m_all->menu(), &QMenu::aboutToShow, this, &DockTabs::listDocks);
  connect(this, &QTabBar::currentChanged, this, &DockTabs::choose);
}

void DockTabs::setDocks(const QList<QDockWidget *> &docks, QDockWidget *front) {
  const QSignalBlocker blocker(this);
  m_docks = docks;
  m_front = front;
  const auto numDocks = static_cast<int>(docks.size());
  while (count() > numDocks)
    removeTab(count() - 1);
  for (int i = 0; i < numDocks; ++i) {
    const QString name = docks[i]->windowTitle();
    if (i == count())
      addTab(name);
    else if (tabText(i) != name)
      setTabText(i, name);
    setTabToolTip(i, docks[i]->titleBarWidget()->toolTip());
  }
  setCurrentIndex(static_cast<int>(docks.indexOf(front)));
  fitTabs();
}

QSize DockTabs::sizeHint() const {
  int width = 0;
  for (int i = 0; i < count(); ++i)
    width += tabSizeHint(i).width();
  return {width, QTabBar::sizeHint().height()};
}

QSize DockTabs::minimumSizeHint() const {
  return {std::min(kLeastWidth, sizeHint().width()), sizeHint().height()};
}

void DockTabs::resizeEvent(QResizeEvent *event) {
  QTabBar::resizeEvent(event);
  fitTabs();
}

void DockTabs::fitTabs() {
  const QSignalBlocker blocker(this);
  const int front = currentIndex();
  if (front < 0)
    return;
  const bool areAllShown = sizeHint().width() <= width();
  int room = width() - (areAllShown ? 0 : m_all->sizeHint().width() + tabSizeHint(front).width());
  int end = tabSizeHint(front).width();
  // Those behind one that has no room are left out, too: the first ones stay where they are.
  bool hasRoom = true;
  for (int i = 0; i < count(); ++i) {
    const int wanted = i == front ? 0 : tabSizeHint(i).width();
    hasRoom = hasRoom && (areAllShown || wanted <= room);
    const bool isShown = i == front || hasRoom;
    if (isShown) {
      room -= wanted;
      end += wanted;
    }
    if (isTabVisible(i) != isShown)
      setTabVisible(i, isShown);
  }
  m_all->setVisible(!areAllShown);
  m_all->setGeometry(std::min(end, width() - m_all->sizeHint().width()), 0,
                     m_all->sizeHint().width(), height());
  m_all->raise();
}

void DockTabs::listDocks() {
  m_all->menu()->clear();
  for (QDockWidget *dock : m_docks) {
    QAction *entry = m_all->menu()->addAction(dock->windowTitle());
    entry->setCheckable(true);
    entry->setChecked(dock == m_front);
    connect(entry, &QAction::triggered, this,
            [this, dock] { choose(static_cast<int>(m_docks.indexOf(dock))); });
  }
}

void DockTabs::choose(int index) {
  if (index < 0 || index >= m_docks.size() || m_docks[index] == m_front)
    return;
  QDockWidget *chosen = m_docks[index];
  // These tabs are covered by those of the chosen dock, and come back as they are.
  {
    const QSignalBlocker blocker(this);
    setCurrentIndex(static_cast<int>(m_docks.indexOf(m_front)));
  }
  Q_EMIT dockChosen(chosen);
}

/// A tab is chosen when the button is released: until then it may be pulled out.
void DockTabs::mousePressEvent(QMouseEvent *event) {
  m_pressed = event->button() == Qt::LeftButton ? tabAt(event->position().toPoint()) : -1;
  m_pressedAt = event->globalPosition().toPoint();
  // Beside the tabs is the title, which is dragged by itself.
  event->setAccepted(m_pressed >= 0);
}

void DockTabs::mouseReleaseEvent(QMouseEvent *event) {
  const int pressed = std::exchange(m_pressed, -1);
  if (pressed >= 0 && pressed == tabAt(event->position().toPoint()))
    choose(pressed);
}

void DockTabs::mouseMoveEvent(QMouseEvent *event) {
  const int way = (event->globalPosition().toPoint() - m_pressedAt).manhattanLength();
  if (m_pressed >= 0 && m_pressed < m_docks.size() && way >= QApplication::startDragDistance())
    pullOut(m_docks[std::exchange(m_pressed, -1)], *event);
}

void DockTabs::mouseDoubleClickEvent(QMouseEvent *event) {
  if (tabAt(event->position().toPoint()) >= 0)
    Q_EMIT doubleClicked();
}

/// The dock drags itself, as if its title had been pressed where the tab was.
void DockTabs::pullOut(QDockWidget *dock, const QMouseEvent &move) {
  dock->raise();
  const auto send = [&](QEvent::Type type, QPoint place) {
    QMouseEvent event(type, dock->mapFromGlobal(QPointF(place)), QPointF(place),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, Qt::LeftButton,
                      move.modifiers());
    QCoreApplication::sendEvent(dock, &event);
  };
  send(QEvent::MouseButtonPress, m_pressedAt);
  send(QEvent::MouseMove, move.globalPosition().toPoint());
}

} // namespace tilescope::app
