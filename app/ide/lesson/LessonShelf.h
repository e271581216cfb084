// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/Lesson.h"
#include "app/lesson/LessonProgress.h"
#include "compiler/support/Result.h"

#include <QString>

#include <memory>

namespace tilescope::app {

/// The lessons that come with the program, and the learner's folder: a file for each lesson that was
/// begun, and what was reached. A lesson is read when it is needed.
class LessonShelf {
public:
  /// `lessons` has curriculum.toml; empty: there are no lessons.
  LessonShelf(QString lessons, QString learner);

  /// Why there are no lessons; empty: there are some.
  const QString &fault() const { return m_fault; }
  const std::vector<Chapter> &chapters() const { return m_chapters; }
  /// Of all chapters, in order.
  const std::vector<std::string> &ids() const { return m_ids; }
  Result<std::shared_ptr<const Lesson>> lesson(size_t position);
  /// The lesson that a file of the learner is for, by its path; nothing: it is for none.
  std::optional<size_t> positionOf(const QString &path) const;
  /// The learner's file for a lesson; it begins with the lesson's start.
  Result<QString> fileFor(size_t position);

  const LessonProgress &progress() const { return m_progress; }
  /// Keeps what was reached, where that is more than before. True: it is.
  Result<bool> note(size_t position, int numMet, int numGoals);

private:
  QString pathFor(size_t position) const;
  QString progressPath() const;

  QString m_lessons, m_learner;
  QString m_fault;
  std::vector<Chapter> m_chapters;
  std::vector<std::string> m_ids;
  std::map<size_t, std::shared_ptr<const Lesson>> m_read;
  LessonProgress m_progress;
};

} // namespace tilescope::app
