// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDockWidget>

namespace tilescope::app {

class DockTitle;

/// One view around the editor, under a slim title. In a separate window it draws a frame, since
/// no window manager does.
class ViewDock : public QDockWidget {
  Q_OBJECT
public:
  /// `header`: the view's part of the title's row; null: it has none.
  ViewDock(const QString &id, const QString &title, QWidget *view, QWidget *header,
           QWidget *window);

  /// Neither closed nor behind another one's tab.
  bool isInFront() const;
  DockTitle &title() { return *m_title; }
  /// Moves the keyboard focus to the view: the part that takes keys, or else the whole view.
  void focusView();
  /// Makes the view a separate window, or docks it again.
  void toggleFloating();

Q_SIGNALS:
  void maximizeRequested();

protected:
  void paintEvent(QPaintEvent *event) override;
  void showEvent(QShowEvent *event) override;

private:
  DockTitle *m_title;
  bool m_wasShown = false;
};

} // namespace tilescope::app
