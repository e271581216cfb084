// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QList>
#include <QWidget>

class QAction;

namespace tilescope::app {

/// Stands where the editors would be while no file is open, and offers what to do next.
class StartPage : public QWidget {
  Q_OBJECT
public:
  /// Covers all of `place`. Each action is a button, with its key beside it.
  StartPage(const QList<QAction *> &actions, QWidget *place);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace tilescope::app
