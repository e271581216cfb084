// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QMenu>

#include <functional>
#include <vector>

namespace tilescope::app {

class ActionTable;
class LessonController;

/// *File → Lessons*: a menu for each chapter, with what was opened from elsewhere as the last one. The
/// commands of lessons are made here; lessons that are opened later come behind the others.
class LessonsMenu : public QMenu {
  Q_OBJECT
public:
  /// `open` is called with the position of a lesson.
  LessonsMenu(LessonController *lessons, ActionTable &actions, std::function<void(size_t)> open,
              QWidget *parent);

private:
  /// What lessons are called may change.
  void list();
  QAction *actionOf(const std::string &id, size_t lesson);

  LessonController *m_lessons;
  ActionTable &m_actions;
  std::function<void(size_t)> m_open;
  /// Of the chapters, in their order, and one more.
  std::vector<QMenu *> m_chapters;
};

} // namespace tilescope::app
