// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

class QAction;

namespace tilescope::app {

/// Keeps the key of a command for the command where a line edit would take it for itself, as it
/// does Ctrl+E. Lives as long as the action.
class KeptKey : public QObject {
  Q_OBJECT
public:
  explicit KeptKey(QAction *action);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QAction *m_action;
};

} // namespace tilescope::app
