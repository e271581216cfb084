// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

class QMenuBar;

namespace tilescope::app {

/// Escape in a menu of the bar hands the keyboard back to the view that had it. By itself, Qt's bar
/// keeps it until a second Escape.
class MenuEscape : public QObject {
  Q_OBJECT
public:
  /// Watches the menus that the bar has now. Lives as long as the bar.
  explicit MenuEscape(QMenuBar *bar);

protected:
  bool eventFilter(QObject *menu, QEvent *event) override;

private:
  void leaveBar();

  QMenuBar *m_bar;
};

} // namespace tilescope::app
