// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/docks/EditorRoom.h"
#include "app/ide/docks/ScrollPlaces.h"
#include "app/ide/docks/Workspace.h"
#include "compiler/artifacts/CompileResult.h"

#include <QObject>
#include <QSize>
#include <QTimer>

#include <functional>
#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace tilescope::app {

class FocusOutline;
class MaximizedView;
class PointedView;
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

  /// `header`: the view's part of its title; null: it has none.
  ViewDock *add(const QString &id, const QString &title, QWidget *view, QWidget *header = nullptr);
  /// Null: no such dock.
  ViewDock *find(const QString &id) const;
  /// As they were added.
  const QStringList &ids() const { return m_order; }
  /// The one that has the keyboard, or null.
  ViewDock *focused() const;
  /// What the user means by the view in use: the one that was pointed at last, else the one that
  /// has the keyboard. Null: the editor.
  ViewDock *inUse() const;
  /// Those that can be seen, from left to right and top to bottom.
  std::vector<ViewDock *> inFront() const;
  MaximizedView &maximized() { return *m_maximized; }
  const MaximizedView &maximized() const { return *m_maximized; }
  const FocusOutline *outline() const { return m_outline; }
  /// The width that the editor keeps.
  int keptWidth() const;
  /// The height that the editor keeps.
  int keptHeight() const;

  Workspace workspace() const { return m_workspace; }
  /// The arrangement as it was when the user left it, or the default one. The keyboard stays where
  /// it is as long as that is in sight; returns whether it is.
  bool showWorkspace(Workspace workspace);
  /// The default arrangement of the workspace, and the sizes that go with it.
  void arrange();
  void resizeToDefault();
  /// By names of workspaces: how each was left, the current one as it is.
  std::map<QString, QByteArray> arrangements() const;
  /// The widths and heights that were set in each workspace, by names that only `restore` knows.
  std::map<QString, QByteArray> rooms() const;
  /// From now on arrangements have the stages of such a target: of a processor, or of a GPU.
  void showStagesOf(bool isCpu);
  /// The arrangements and rooms of the last time, of a window of that size; the default when there
  /// are none.
  /// A window that is still about to get its size, as from a window manager that maximizes it, is
  /// arranged again as soon as it has it.
  void restore(Workspace current, std::map<QString, QByteArray> arrangements, QSize size,
               const std::map<QString, QByteArray> &rooms = {});
  /// Shows a dock in a column of its own, at the right of another one; the columns there share their
  /// room evenly.
  void addBeside(ViewDock *place, ViewDock *dock);
  /// Later stages go into a column of their own. False: the view has no tabs to split.
  bool splitRight(ViewDock *dock);
  void joinColumns();

Q_SIGNALS:
  /// A dock was shown or hidden.
  void visibilityChanged();
  void workspaceChanged();
  void maximizeRequested(tilescope::app::ViewDock *dock);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void connectDock(ViewDock *dock);
  /// The columns of stages in a row with one of them.
  QList<QDockWidget *> columnsInRow(const ViewDock *column) const;
  /// Names, tabs and tool tips where the docks are now.
  void tidy();
  /// Brings a dock to the front of its tabs; the keyboard goes along.
  void choose(QDockWidget *dock);
  bool restoreState(const QByteArray &arrangement);
  QByteArray toBytes(const EditorRoom::Sizes &sizes) const;
  /// Without sizes where the bytes are not those of such.
  EditorRoom::Sizes sizesFrom(const QByteArray &bytes) const;
  /// Runs `change`, behind which the keyboard is where it was, if that is in sight.
  bool keepFocus(const std::function<void()> &change);

  QMainWindow *m_window;
  std::map<QString, ViewDock *> m_docks;
  QStringList m_order;
  QTimer m_tidyTimer;
  MaximizedView *m_maximized;
  FocusOutline *m_outline;
  PointedView *m_pointed;
  EditorRoom *m_width;
  EditorRoom *m_height;
  Workspace m_workspace = Workspace::See;
  bool m_isCpu = false;
  ScrollPlaces m_scrolls;
  /// Of other workspaces, as they were left.
  std::map<QString, QByteArray> m_arrangements;
  /// Widths and heights that were set in other workspaces.
  std::map<Workspace, std::pair<EditorRoom::Sizes, EditorRoom::Sizes>> m_sizes;
  /// To be restored when the window gets that size.
  QByteArray m_awaited;
  QSize m_awaitedSize;
};

} // namespace tilescope::app
