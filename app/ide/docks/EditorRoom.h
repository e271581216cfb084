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

/// The room of the editor in one direction: in width it keeps sixty columns of code, as far as half
/// of the window has them; in height 45 % of the window. When a window shrinks, the views beside
/// (or below) the editor leave it that much, and get theirs back as the window grows. In a window that
/// becomes wider, what is beside the editor keeps its share. What the user sets with a splitter stays.
class EditorRoom : public QObject {
  Q_OBJECT
public:
  EditorRoom(QMainWindow *window, const MaximizedView *maximized, Qt::Orientation direction);

  /// Extent in this direction of an editor that has what it keeps.
  int kept() const;
  /// The window was resized, as far as this direction is concerned.
  void follow(int before, int now);
  /// Gives the editor what it keeps.
  void leave();
  /// Sizes were set anew: nothing is to be given back.
  void forget() { m_isSqueezed = false; }
  /// Remembers soon how large the views are: the window, or one of them, was resized.
  void noteLater(bool isByWindow);
  /// A view that was a separate window comes back as wide as it was, and so do the others.
  void keep(const QDockWidget *dock, bool isFloating);

private:
  int extent(const QWidget &widget) const;
  /// Docked views beside the editor that can be seen.
  QList<QDockWidget *> beside() const;
  /// What these have together.
  int room() const;
  using Extents = std::map<const QDockWidget *, int>;
  Extents extents() const;
  void resize(const Extents &extents, int numerator = 1, int denominator = 1);
  void takeBack(int before);
  void grow();
  void note();

  QMainWindow *m_window;
  const MaximizedView *m_maximized;
  Qt::Orientation m_direction;
  QTimer m_timer;
  /// How large the views were, and in how large a window, before they made room for the editor.
  Extents m_extents;
  int m_extentsOf = 0;
  /// The same, before a view became a separate window.
  std::map<const QDockWidget *, Extents> m_beforeFloating;
  bool m_isSqueezed = false;
  /// How large they became by that: others are what the user has chosen since.
  Extents m_squeezed;
};

} // namespace tilescope::app
