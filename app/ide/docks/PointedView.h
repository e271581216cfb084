// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>
#include <QPointer>

namespace tilescope::app {

class ViewDock;

/// The view that was pointed at last: clicking a tab, a title or an empty place of a view leaves the
/// keyboard in the editor, and yet that view is what the user means by the view in use. It is
/// forgotten as soon as a character is typed or the keyboard moves.
class PointedView : public QObject {
  Q_OBJECT
public:
  explicit PointedView(QObject *parent);

  /// Null: none since the keyboard was last used.
  ViewDock *dock() const;
  /// A dock that a click has brought to the front.
  void set(ViewDock *dock);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QPointer<QObject> m_dock;
  /// Of the press seen last: parents of its receiver get it, too.
  quint64 m_pressedAt = 0;
};

} // namespace tilescope::app
