// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPoint>
#include <QTabBar>

class QDockWidget;
class QToolButton;

namespace tilescope::app {

/// The tabs of all docks that share a place, as a part of the title of the one in front: with Qt's
/// own tab bar, such a place would have a second row. A tab that is pulled out takes its dock along.
/// Where not all tabs have room, those that are seen are whole, and a button lists all of them.
class DockTabs : public QTabBar {
  Q_OBJECT
public:
  explicit DockTabs(QWidget *parent);

  /// `docks` in the order of their tabs; `front` is one of them.
  void setDocks(const QList<QDockWidget *> &docks, QDockWidget *front);
  /// All tabs side by side.
  QSize sizeHint() const override;
  /// No more than the tabs need, and in a narrow title less.
  QSize minimumSizeHint() const override;
  /// Lists all docks of the place; hidden where all tabs can be seen.
  QToolButton &all() const { return *m_all; }

Q_SIGNALS:
  void dockChosen(QDockWidget *dock);
  /// Of the dock in front.
  void doubleClicked();

protected:
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  /// Shows the tabs that there is room for: the one in front, then the first ones.
  void fitTabs();
  void listDocks();
  void choose(int index);
  void pullOut(QDockWidget *dock, const QMouseEvent &move);

  QList<QDockWidget *> m_docks;
  QDockWidget *m_front = nullptr;
  QToolButton *m_all;
  /// The tab that the button went down on, or -1.
  int m_pressed = -1;
  /// On the screen.
  QPoint m_pressedAt;
};

} // namespace tilescope::app
