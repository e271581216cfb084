// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QByteArray>
#include <QObject>
#include <QRect>

#include <map>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace tilescope::app {

/// Of the form of arrangements: one of another version gives way to the default.
inline constexpr int kArrangementVersion = 1;

/// Shows one view of a window alone, and everything as it was before afterwards. A view in a window
/// of its own fills the screen instead and leaves the main window as it is.
class MaximizedView : public QObject {
  Q_OBJECT
public:
  explicit MaximizedView(QMainWindow *window);

  /// A dock, or the central widget.
  void toggle(QWidget *view);
  /// Shows a view alone, in place of another that was; one in a window of its own comes back into
  /// the main window until everything is shown again.
  void show(QWidget *view);
  void restore();
  /// Another view, or the editor, is to be seen and used: what is alone in the window, or fills the
  /// screen above it, becomes as large as it was.
  void makeRoomFor(const QWidget *next);
  /// The view that is alone in the main window, or null.
  QWidget *view() const { return m_view; }
  /// The docks' arrangement, for the next start: never that of a maximized view.
  QByteArray arrangement() const;

protected:
  bool eventFilter(QObject *object, QEvent *event) override;

private:
  void maximize(QWidget *view);
  /// Hides all other views in the main window.
  void showOnly(QWidget *view);
  void toggleFilled(QDockWidget *dock);
  void watch(QDockWidget *dock);

  QMainWindow *m_window;
  QWidget *m_view = nullptr;
  QByteArray m_before;
  /// Where floating docks that fill the screen were before.
  std::map<QDockWidget *, QRect> m_filled;
};

} // namespace tilescope::app
