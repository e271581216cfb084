// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDockWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace tilescope::app {

class DockTabs;

/// The one row above a view: its name, or the tabs of all views that share its place; what the
/// view says of itself; then split, maximize, float and close. Drag it to move the dock.
class DockTitle : public QWidget {
  Q_OBJECT
public:
  explicit DockTitle(QDockWidget *dock);

  /// The view's own part of the row: facts and choices.
  void setHeader(QWidget *header);
  void setSplittable(bool isSplittable);
  /// The docks at this place, in the order of their tabs; only its own: it has a name instead.
  void setBeside(const QList<QDockWidget *> &docks);
  /// Empty for a dock among tabs.
  QString name() const;
  DockTabs &tabs() const { return *m_tabs; }
  /// It asks for no width: a view may be as narrow as it likes.
  QSize minimumSizeHint() const override;

Q_SIGNALS:
  void splitRequested();
  void maximizeRequested();
  void floatRequested();
  void tabChosen(QDockWidget *dock);

protected:
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  bool event(QEvent *event) override;

private:
  QToolButton *addButton(const QString &icon, const QString &tip);
  /// What it needs with all of its buttons, if nothing is cut.
  int wholeWidth() const;
  void fitButtons();

  QDockWidget *m_dock;
  QHBoxLayout *m_row;
  DockTabs *m_tabs;
  QLabel *m_name;
  QWidget *m_header = nullptr;
  QToolButton *m_split;
  QToolButton *m_float;
  QToolButton *m_close;
  bool m_isSplittable = false;
};

} // namespace tilescope::app
