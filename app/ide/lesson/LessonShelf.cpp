// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonShelf.h"

#include "app/lesson/LessonFile.h"
#include "app/lesson/archive/LessonArchive.h"
#include "profiler/data/FileIo.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

/// The chapter of lessons that came from elsewhere.
static constexpr const char *kOpenedChapter = "Opened";

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
    for (const std::string &id : chapter.lessons) {
      m_ids.push_back(id);
      m_folders.push_back(QDir(m_lessons).filePath(QString::fromStdString(id)));
    }
  m_numShipped = m_ids.size();
  // Without a folder of the learner's nothing was opened.
  const QDir opened(openedFolder());
  for (const QString &id :
       m_learner.isEmpty() ? QStringList() : opened.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
    if (isLessonId(id.toStdString()))
      addOpened(id.toStdString());
  // A damaged file counts as none: it is replaced only once something is reached.
  if (Result<LessonProgress> progress = readProgress(progressPath().toStdString()))
    m_progress = std::move(*progress);
}

QString LessonShelf::openedFolder() const {
  return QDir(m_learner).filePath(QStringLiteral("opened"));
}

void LessonShelf::addOpened(const std::string &id) {
  if (m_ids.size() == m_numShipped)
    m_chapters.push_back({kOpenedChapter, {}});
  m_chapters.back().lessons.push_back(id);
  m_ids.push_back(id);
  m_folders.push_back(QDir(openedFolder()).filePath(QString::fromStdString(id)));
}

bool LessonShelf::isLesson(const QString &path) {
  const QFileInfo file(path);
  return file.isDir() ? QFileInfo::exists(QDir(path).filePath(QStringLiteral("lesson.toml")))
                      : file.suffix().compare(u"zip", Qt::CaseInsensitive) == 0;
}

Result<size_t> LessonShelf::openFrom(const QString &path) {
  std::vector<LessonParts> lessons;
  if (QFileInfo(path).isDir()) {
    Result<LessonParts> parts = readLessonFolder(path.toStdString());
    if (!parts)
      return parts.error();
    lessons.push_back(std::move(*parts));
  } else {
    Result<std::vector<LessonParts>> found = readLessonZip(path.toStdString());
    if (!found)
      return found.error();
    lessons = std::move(*found);
  }
  std::optional<size_t> first;
  for (LessonParts &each : lessons) {
    const Result<size_t> position = take(std::move(each));
    if (!position)
      return position;
    first = first.value_or(*position);
  }
  return *first;
}

Result<size_t> LessonShelf::take(LessonParts parts) {
  const auto shippedEnd = m_ids.begin() + static_cast<std::ptrdiff_t>(m_numShipped);
  if (const auto shipped = std::find(m_ids.begin(), shippedEnd, parts.id); shipped != shippedEnd) {
    const auto position = static_cast<size_t>(shipped - m_ids.begin());
    // One that came with the program is there already.
    if (const auto own = readLessonFolder(m_folders[position].toStdString());
        own && *own == parts) {
      // It may be another one than before.
      m_read.erase(position);
      return position;
    }
    // The learner's file is named after the lesson, and those of the program have theirs.
    parts.id += "-opened";
  }
  if (Result<std::string> folder = unpackLesson(parts, openedFolder().toStdString()); !folder)
    return folder.error();
  m_titles.clear();
  const auto known = std::ranges::find(m_ids, parts.id);
  const auto position = static_cast<size_t>(known - m_ids.begin());
  if (known == m_ids.end())
    addOpened(parts.id);
  m_read.erase(position);
  return position;
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
  Result<Lesson> read = readLesson(m_folders[position].toStdString());
  if (!read)
    return read.error();
  return m_read[position] = std::make_shared<const Lesson>(std::move(*read));
}

const std::vector<std::string> &LessonShelf::titles() {
  if (m_titles.empty())
    for (size_t i = 0; i < m_ids.size(); ++i) {
      const Result<std::string> title = readLessonTitle(m_folders[i].toStdString());
      m_titles.push_back(title ? *title : m_ids[i]);
    }
  return m_titles;
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

Result<bool> LessonShelf::note(size_t position, int numGoals, std::vector<std::string> open) {
  const std::string now = QDateTime::currentDateTimeUtc()
                              .toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"))
                              .toStdString();
  if (!m_progress.note(m_ids[position], numGoals, std::move(open), now))
    return false;
  if (Status status = writeProgress(progressPath().toStdString(), m_progress); !status)
    return status.error();
  return true;
}

bool LessonShelf::holds(const QString &path) const {
  const QString folder = QFileInfo(QFileInfo(path).path()).canonicalFilePath();
  return !folder.isEmpty() && std::ranges::any_of(m_folders, [&](const QString &each) {
    return QFileInfo(each).canonicalFilePath() == folder;
  });
}

bool LessonShelf::isKept(const QString &folder) const {
  const QString opened = QFileInfo(openedFolder()).canonicalFilePath();
  return !opened.isEmpty() && QFileInfo(folder).path() == opened;
}

Status LessonShelf::noteHints(size_t position, const std::vector<int> &hints) {
  m_progress.lessons[m_ids[position]].hints = hints;
  return writeProgress(progressPath().toStdString(), m_progress);
}

Status LessonShelf::noteAnswer(size_t position, int question, bool isRight) {
  m_progress.noteAnswer(m_ids[position], question, isRight);
  return writeProgress(progressPath().toStdString(), m_progress);
}

} // namespace tilescope::app
