// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

class QMenu;
class QMenuBar;

namespace tilescope::app {

/// A letter that is typed in an open menu goes to the next item that begins with it, for Enter to
/// choose; mnemonics, where a menu has them, come first.
class MenuTypeAhead : public QObject {
  Q_OBJECT
public:
  /// Watches the menus that the bar has now, and those in them. Lives as long as the bar.
  explicit MenuTypeAhead(QMenuBar *bar);

protected:
  bool eventFilter(QObject *menu, QEvent *event) override;

private:
  void watch(QMenu *menu);
};

} // namespace tilescope::app
