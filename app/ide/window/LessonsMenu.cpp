// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/LessonsMenu.h"

#include "app/ide/lesson/LessonController.h"
#include "app/ide/window/ActionTable.h"
#include "views/common/MenuText.h"

namespace tilescope::app {

static QString menuTitle(const std::string &title) {
  return views::menuText(QString::fromStdString(title));
}

LessonsMenu::LessonsMenu(LessonController *lessons, ActionTable &actions,
                         std::function<void(size_t)> open, QWidget *parent)
    : QMenu(tr("Lessons"), parent), m_lessons(lessons), m_actions(actions),
      m_open(std::move(open)) {
  const size_t numChapters = m_lessons->shelf().chapters().size();
  for (size_t i = 0; i <= numChapters; ++i) {
    m_chapters.push_back(addMenu(QString()));
    m_chapters.back()->menuAction()->setVisible(false);
  }
  menuAction()->setVisible(numChapters > 0);
  list();
  connect(m_lessons, &LessonController::listed, this, &LessonsMenu::list);
}

QAction *LessonsMenu::actionOf(const std::string &id, size_t lesson) {
  const QString name = QStringLiteral("lessons.") + QString::fromStdString(id);
  if (QAction *known = m_actions.find(name))
    return known;
  QAction *made = m_actions.add(name, {}, {}, [this, lesson] { m_open(lesson); });
  made->setProperty("group", tr("Lesson"));
  return made;
}

void LessonsMenu::list() {
  LessonShelf &shelf = m_lessons->shelf();
  size_t position = 0;
  for (size_t i = 0; i < shelf.chapters().size() && i < m_chapters.size(); ++i) {
    const Chapter &chapter = shelf.chapters()[i];
    m_chapters[i]->setTitle(menuTitle(chapter.title));
    m_chapters[i]->menuAction()->setVisible(true);
    for (const std::string &id : chapter.lessons) {
      QAction *open = actionOf(id, position);
      open->setText(menuTitle(shelf.titles()[position++]));
      m_chapters[i]->QWidget::addAction(open);
    }
  }
}

} // namespace tilescope::app
