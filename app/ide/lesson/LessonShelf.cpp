// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonShelf.h"

#include "app/lesson/LessonFile.h"
#include "profiler/data/FileIo.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

LessonShelf::LessonShelf(QString lessons, QString learner)
    : m_lessons(std::move(lessons)), m_learner(std::move(learner)) {
  if (m_lessons.isEmpty()) {
    m_fault = QStringLiteral("The folder `lessons` was not found beside the program.");
    return;
  }
  Result<std::vector<Chapter>> chapters = readCurriculum(m_lessons.toStdString());
  if (!chapters) {
    m_fault = QString::fromStdString(chapters.error().message);
    return;
  }
  m_chapters = std::move(*chapters);
  for (const Chapter &chapter : m_chapters)
    m_ids.insert(m_ids.end(), chapter.lessons.begin(), chapter.lessons.end());
  // A damaged file counts as none: it is replaced only once something is reached.
  if (Result<LessonProgress> progress = readProgress(progressPath().toStdString()))
    m_progress = std::move(*progress);
}

QString LessonShelf::progressPath() const {
  return QDir(m_learner).filePath(QStringLiteral("progress.json"));
}

QString LessonShelf::pathFor(size_t position) const {
  return QDir(m_learner).filePath(QString::fromStdString(m_ids[position]) + QStringLiteral(".py"));
}

Result<std::shared_ptr<const Lesson>> LessonShelf::lesson(size_t position) {
  if (const auto found = m_read.find(position); found != m_read.end())
    return found->second;
  Result<Lesson> read =
      readLesson(QDir(m_lessons).filePath(QString::fromStdString(m_ids[position])).toStdString());
  if (!read)
    return read.error();
  return m_read[position] = std::make_shared<const Lesson>(std::move(*read));
}

std::optional<size_t> LessonShelf::positionOf(const QString &path) const {
  if (path.isEmpty() || m_learner.isEmpty() || QFileInfo(path).dir() != QDir(m_learner))
    return std::nullopt;
  const auto found = std::ranges::find(m_ids, QFileInfo(path).completeBaseName().toStdString());
  return found == m_ids.end() ? std::nullopt
                              : std::optional(static_cast<size_t>(found - m_ids.begin()));
}

Result<QString> LessonShelf::fileFor(size_t position) {
  const QString path = pathFor(position);
  if (QFileInfo::exists(path))
    return path;
  const Result<std::shared_ptr<const Lesson>> read = lesson(position);
  if (!read)
    return read.error();
  if (!QDir().mkpath(m_learner))
    return Error{ErrorCode::Environment, "cannot make the folder `" + m_learner.toStdString() + "`",
                 ""};
  if (Status status = profiler::writeFile(path.toStdString(), (*read)->start); !status)
    return status.error();
  return path;
}

Result<bool> LessonShelf::note(size_t position, int numMet, int numGoals) {
  const std::string now = QDateTime::currentDateTimeUtc()
                              .toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"))
                              .toStdString();
  if (!m_progress.note(m_ids[position], numMet, numGoals, now))
    return false;
  if (Status status = writeProgress(progressPath().toStdString(), m_progress); !status)
    return status.error();
  return true;
}

} // namespace tilescope::app
