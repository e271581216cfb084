// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/present/HeldSliders.h"
#include "app/present/PresentFile.h"

#include <QObject>
#include <QPointer>
#include <QRectF>

#include <vector>

namespace tilescope::app {

class ActionTable;
class DockSet;
class EditorPage;
class MainWindow;
class PresentController;
struct Session;

/// A presentation in the window: large text, no menus, one view at a time, each stop with its file,
/// kernel, cursor and sliders. At the end everything is as it was; files that it opened are closed,
/// except those of the user that were changed, and where nothing else was open before.
class Presentation : public QObject {
  Q_OBJECT
public:
  Presentation(MainWindow *window, DockSet *docks, ActionTable &actions);

  /// Reads a script and begins. What is wrong with it is told in the window.
  void open(const QString &path);
  /// What a script may name in this window.
  PresentViews views() const;
  PresentController *controller() const { return m_controller; }
  /// A window that ends in the middle of a presentation begins as it was before it.
  void keepPlacement(Session &session) const;

Q_SIGNALS:
  /// By steps of the text's size: it is as large as before.
  void zoomRequested(int steps);

private:
  void addCommands(ActionTable &actions);
  void enableCommands(bool isUnderWay);
  void choose();
  void begin();
  void end();
  void showStop(const PresentStep &step, const QString &view);
  bool showPlace(const PresentStep &step);
  /// Null: the file cannot be opened.
  EditorPage *openPage(const QString &file);
  void close(EditorPage &page);
  void setBarsVisible(bool areVisible);
  /// Otherwise those of the script's files alone: others are not the audience's business.
  void showTabs(bool ofAllFiles);
  HeldSliders::Wishes wishes(const PresentStep &step) const;
  /// The view's dock; null: it is the editor.
  QWidget *viewNamed(const QString &name) const;
  std::optional<QRectF> target() const;
  std::optional<QRectF> elementIn(const PresentStep &step, const QString &view) const;

  MainWindow *m_window;
  DockSet *m_docks;
  ActionTable &m_actions;
  PresentController *m_controller;
  HeldSliders *m_sliders;
  /// Before it began.
  int m_zoom = 0;
  Qt::WindowStates m_state;
  QByteArray m_geometry;
  QSize m_size;
  QPointer<EditorPage> m_page;
  /// By the presentation itself.
  std::vector<QPointer<EditorPage>> m_opened;
};

} // namespace tilescope::app
