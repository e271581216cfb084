// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QObject>
#include <QSize>
#include <QTimer>

#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace tilescope::app {

class FocusOutline;
class MaximizedView;
class ViewDock;

/// The name of the dock that a stage's column is in.
QString stageDockId(compiler::StageId stage);

/// The docks of a window: which there are, how they are arranged, which is maximized and which has
/// the keyboard. It knows of places only, not of what the views show.
class DockSet : public QObject {
  Q_OBJECT
public:
  explicit DockSet(QMainWindow *window);
  ~DockSet() override;

  ViewDock *add(const QString &id, const QString &title, QWidget *view);
  /// Null: no such dock.
  ViewDock *find(const QString &id) const;
  /// As they were added.
  const QStringList &ids() const { return m_order; }
  /// The one that has the keyboard, or null.
  ViewDock *focused() const;
  /// Those that can be seen, from left to right and top to bottom.
  std::vector<ViewDock *> inFront() const;
  MaximizedView &maximized() { return *m_maximized; }
  const MaximizedView &maximized() const { return *m_maximized; }
  const FocusOutline *outline() const { return m_outline; }

  /// The default arrangement, and the sizes that go with it.
  void arrange();
  void resizeToDefault();
  /// The arrangement of the last time, of a window of that size; the default when there is none. A
  /// window that is still about to get its size, as from a window manager that maximizes it, is
  /// arranged again as soon as it has it.
  void restore(const QByteArray &arrangement, QSize size);

Q_SIGNALS:
  /// A dock was shown or hidden.
  void visibilityChanged();
  void maximizeRequested(tilescope::app::ViewDock *dock);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  /// Views beside the editor leave it two fifths of a window that becomes narrower.
  void leaveRoomForEditor();
  /// Views that left the editor room in a narrow window get theirs back as it widens.
  void takeRoomBack();
  /// Docked views beside the editor that can be seen.
  QList<QDockWidget *> besideEditor() const;
  std::map<const QDockWidget *, int> widthsBeside() const;
  void noteWidths();
  /// A view that was a separate window comes back as wide as it was, and so do the others.
  void keepWidths(const QDockWidget *dock, bool isFloating);
  /// The columns of all stages after `front` become tabs of its place, which shows `front`.
  void putBehind(compiler::StageId front);
  /// Names and tool tips where the docks are now.
  void tidy();

  QMainWindow *m_window;
  std::map<QString, ViewDock *> m_docks;
  QStringList m_order;
  QTimer m_tidyTimer;
  MaximizedView *m_maximized;
  FocusOutline *m_outline;
  /// To be restored when the window gets that size.
  QByteArray m_awaited;
  QSize m_awaitedSize;
  /// How wide the views were, and in how wide a window, before they made room for the editor.
  std::map<const QDockWidget *, int> m_widths;
  int m_widthsOf = 0;
  /// The same, before a view became a separate window.
  std::map<const QDockWidget *, std::map<const QDockWidget *, int>> m_beforeFloating;
  bool m_isSqueezed = false;
  /// How wide they became by that: other widths are what the user has chosen since.
  std::map<const QDockWidget *, int> m_squeezed;
  QTimer m_widthTimer;
};

} // namespace tilescope::app
