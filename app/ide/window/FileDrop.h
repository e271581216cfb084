// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>
#include <QStringList>

class QDropEvent;
class QWidget;

namespace tilescope::app {

/// Files that are dropped anywhere on a window, or on a window that belongs to it, are to be opened,
/// also where a text would be taken: the editor would insert their names. What holds no files is left
/// to the widget below it.
class FileDrop : public QObject {
  Q_OBJECT
public:
  explicit FileDrop(QWidget *window);

Q_SIGNALS:
  /// Files and folders of this machine, in the order of the drop.
  void dropped(const QStringList &paths);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void take(QDropEvent &event);

  QWidget *m_window;
};

} // namespace tilescope::app
