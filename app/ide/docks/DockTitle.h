// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDockWidget>

class QLabel;

namespace tilescope::app {

/// The slim title of a dock: name, then maximize, float and close. Drag it to move the dock.
class DockTitle : public QWidget {
  Q_OBJECT
public:
  explicit DockTitle(QDockWidget *dock);
  /// A dock among tabs has its name on its tab, and here none.
  void showName();

Q_SIGNALS:
  void maximizeRequested();
  void floatRequested();

protected:
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  QDockWidget *m_dock;
  QLabel *m_name;
};

} // namespace tilescope::app
