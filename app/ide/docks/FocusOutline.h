// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPointer>
#include <QWidget>

class QMainWindow;

namespace tilescope::app {

/// Shows which view has the keyboard: a frame around the dock or the editors, and the dock's title
/// highlighted. Covers nothing but the frame.
class FocusOutline : public QWidget {
  Q_OBJECT
public:
  explicit FocusOutline(QMainWindow *window);

  /// The dock or the central widget that is framed, or null.
  QWidget *view() const { return m_view; }
  /// Puts the frame over its view again after others came to the front.
  void place();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void follow(QWidget *focus);
  void setView(QWidget *view);

  QMainWindow *m_window;
  QPointer<QWidget> m_view;
};

} // namespace tilescope::app
