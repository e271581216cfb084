// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPoint>
#include <QTabBar>

class QDockWidget;

namespace tilescope::app {

/// The tabs of all docks that share a place, as a part of the title of the one in front: with Qt's
/// own tab bar, such a place would have a second row. A tab that is pulled out takes its dock along.
class DockTabs : public QTabBar {
  Q_OBJECT
public:
  explicit DockTabs(QWidget *parent);

  /// `docks` in the order of their tabs; `front` is one of them.
  void setDocks(const QList<QDockWidget *> &docks, QDockWidget *front);
  /// No more than the tabs need, and in a narrow title less: then they scroll.
  QSize minimumSizeHint() const override;

Q_SIGNALS:
  void dockChosen(QDockWidget *dock);
  /// Of the dock in front.
  void doubleClicked();

protected:
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
  void choose(int index);
  void pullOut(QDockWidget *dock, const QMouseEvent &move);

  QList<QDockWidget *> m_docks;
  QDockWidget *m_front = nullptr;
  /// The tab that the button went down on, or -1.
  int m_pressed = -1;
  /// On the screen.
  QPoint m_pressedAt;
};

} // namespace tilescope::app
