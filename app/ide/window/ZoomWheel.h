// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>
#include <QTimer>

class QWidget;

namespace tilescope::app {

/// Ctrl+wheel anywhere in a window, or in a window that belongs to it, asks for larger or smaller
/// text; no view needs to know. Views that zoom what they show are left alone
/// (`views::kZoomsByWheel`). Notches that come while the window is being zoomed are one step.
class ZoomWheel : public QObject {
  Q_OBJECT
public:
  explicit ZoomWheel(QWidget *window);

Q_SIGNALS:
  void zoomRequested(int steps);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void zoom();

  QWidget *m_window;
  QTimer m_frame;
  /// Touchpads turn the wheel by parts of a step.
  int m_turned = 0;
};

} // namespace tilescope::app
