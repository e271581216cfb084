// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QList>
#include <QObject>
#include <QTimer>

#include <map>

class QDockWidget;
class QMainWindow;

namespace tilescope::app {

class MaximizedView;

/// The room of the editor in one direction. When the window is resized, the views beside (or below)
/// the editor keep their share of it, as far as they leave the editor what it keeps: in width sixty
/// columns of code, if half of the window has them, in height 45 % of the window. All sizes follow
/// from those that were set last, by the user with a splitter or by an arrangement, so that a window
/// that becomes small and large again is as it was.
///
/// For example, a column of 800 beside an editor of 1120 in a window of 1920 is 569 wide in one of
/// 1366, 533 in one of 1280, and 800 again in one of 1920.
class EditorRoom : public QObject {
  Q_OBJECT
public:
  using Extents = std::map<const QDockWidget *, int>;
  /// Sizes that were set, in a window of the extent `window`.
  struct Sizes {
    Extents views;
    int window = 0;
    int editor = 0;
    /// What the views have together.
    int room = 0;
  };

  EditorRoom(QMainWindow *window, const MaximizedView *maximized, Qt::Orientation direction);

  /// Extent in this direction of an editor that has what it keeps.
  int kept() const;
  /// The window was resized.
  void follow(int before, int now);
  /// The editor has what it keeps again, for as long as it needs that.
  void leave();
  /// The text has another size: the editor keeps more or less.
  void followText() { m_fitTimer.start(0); }
  /// Sizes were set anew: others follow from these.
  void forget();
  /// The sizes that were set, for when they are to be set again.
  const Sizes &sizes() const { return m_set; }
  void setAgain(const Sizes &sizes);
  /// Remembers soon how large the views are: the window, or one of them, was resized.
  void noteLater() { m_timer.start(0); }
  /// A view that was a separate window comes back as wide as it was, and so do the others.
  void keep(const QDockWidget *dock, bool isFloating);

private:
  int extent(const QWidget &widget) const;
  /// Docked views beside the editor that can be seen.
  QList<QDockWidget *> beside() const;
  int room() const;
  Extents extents() const;
  void resize(const Extents &extents, int numerator = 1, int denominator = 1);
  void fit();
  void note();

  QMainWindow *m_window;
  const MaximizedView *m_maximized;
  Qt::Orientation m_direction;
  QTimer m_timer, m_fitTimer;
  Sizes m_set;
  /// How large the views were last: other sizes are what somebody has set since.
  Extents m_known;
  /// The views are about to follow the window.
  bool m_isFollowing = false;
  /// How large the views were before one of them became a separate window.
  std::map<const QDockWidget *, Extents> m_beforeFloating;
};

} // namespace tilescope::app
