// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "app/lesson/LessonProgress.h"
#include "compiler/support/Result.h"

#include <QString>

#include <memory>

namespace tilescope::app {

struct LessonParts;

/// The lessons that come with the program, those that were opened from elsewhere, and the learner's
/// folder: a file for each lesson that was begun, and what was reached. A lesson is read when it is
/// needed. Opened lessons are kept in the learner's folder, in `opened`.
class LessonShelf {
public:
  /// `lessons` has curriculum.toml; empty: there are no lessons.
  LessonShelf(QString lessons, QString learner);

  /// Why there are no lessons; empty: there are some.
  const QString &fault() const { return m_fault; }
  const std::vector<Chapter> &chapters() const { return m_chapters; }
  /// Whether a path is that of a lesson's zip or folder, by its name.
  static bool isLesson(const QString &path);
  /// Takes in the lessons of a zip, or the one of a folder, and returns the position of the first. A
  /// lesson of the same name that was opened before is replaced; the learner's file of it stays.
  Result<size_t> openFrom(const QString &path);
  /// Of all chapters, in order.
  const std::vector<std::string> &ids() const { return m_ids; }
  Result<std::shared_ptr<const Lesson>> lesson(size_t position);
  /// Of all lessons, in order; of one that cannot be read, its id. Nothing else of them is read.
  const std::vector<std::string> &titles();
  /// The lesson that a file of the learner is for, by its path; nothing: it is for none.
  std::optional<size_t> positionOf(const QString &path) const;
  /// Whether a file belongs to a lesson itself, such as its solution.
  bool holds(const QString &path) const;
  /// Whether a folder is one that lessons from elsewhere are kept in.
  bool isKept(const QString &folder) const;
  /// Where the learner's file for a lesson is, whether or not there is one yet.
  QString pathFor(size_t position) const;
  /// The learner's file for a lesson; it begins with the lesson's start.
  Result<QString> fileFor(size_t position);

  const LessonProgress &progress() const { return m_progress; }
  /// Keeps where the learner is: the goals that are not met. True: it was not known yet.
  Result<bool> note(size_t position, int numGoals, std::vector<std::string> open);
  Status noteAnswer(size_t position, int question, bool isRight);
  /// Keeps which hints are open, in the order in which they were opened.
  Status noteHints(size_t position, const std::vector<int> &hints);

private:
  Result<size_t> take(LessonParts parts);
  void addOpened(const std::string &id);
  QString openedFolder() const;
  QString progressPath() const;

  QString m_lessons, m_learner;
  QString m_fault;
  std::vector<Chapter> m_chapters;
  std::vector<std::string> m_ids;
  /// Of each lesson.
  std::vector<QString> m_folders;
  size_t m_numShipped = 0;
  /// Empty until they are asked for.
  std::vector<std::string> m_titles;
  std::map<size_t, std::shared_ptr<const Lesson>> m_read;
  LessonProgress m_progress;
};

} // namespace tilescope::app
