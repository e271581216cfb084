// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonController.h"

#include "app/lesson/archive/LessonArchive.h"
#include "views/lesson/LessonView.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace tilescope::app {

using views::LessonContent;
using views::LessonEntry;
using views::LessonView;
using views::ShownGoal;

/// A check that takes longer is ended for the sake of a newer text.
static constexpr qint64 kPatienceMs = 300;

static QString words(const std::string &text) { return QString::fromStdString(text); }

LessonController::LessonController(LessonShelf shelf, LessonBackend *backend, QWidget *window)
    : QObject(window), m_shelf(std::move(shelf)), m_backend(backend),
      m_view(new LessonView(window)),
      m_questions(new LessonQuestions(&m_shelf, backend, &m_view->questions(), this)) {
  connectView();
  connect(&m_authorsFiles, &DiskWatch::touched, this, &LessonController::takeAuthors);
  connect(m_backend, &LessonBackend::goalChecked, this, &LessonController::takeGoal);
  connect(m_backend, &LessonBackend::checked, this, &LessonController::take);
  connect(m_backend, &LessonBackend::shown, this, &LessonController::showLive);
  m_slow.setSingleShot(true);
  m_slow.setInterval(kPatienceMs);
  connect(&m_slow, &QTimer::timeout, this, [this] { setSlow(true); });
  showLesson(std::nullopt);
}

void LessonController::connectView() {
  connect(m_view, &LessonView::lessonRequested, this, [this](int position) {
    if (position >= 0 && static_cast<size_t>(position) < m_shelf.ids().size())
      open(static_cast<size_t>(position));
  });
  connect(m_view, &LessonView::goalActivated, this, [this](int goal) {
    const auto index = static_cast<size_t>(goal);
    if (index < m_states.size() && m_states[index] && m_states[index]->state.place)
      Q_EMIT placeRequested(*m_states[index]->state.place);
  });
  connect(m_view, &LessonView::viewRequested, this, &LessonController::viewRequested);
  connect(m_questions, &LessonQuestions::failed, this, &LessonController::failed);
  connect(m_view, &LessonView::hintsChanged, this, [this](const std::vector<int> &open) {
    if (!m_shown)
      return;
    if (Status kept = m_shelf.noteHints(*m_shown, open); !kept)
      Q_EMIT failed(tr("How far you have come was not kept: %1").arg(words(kept.error().message)));
  });
  connect(m_view, &LessonView::startOverRequested, this, [this] {
    if (m_lesson)
      Q_EMIT startOverRequested(words(m_lesson->start));
  });
  connect(m_view, &LessonView::solutionRequested, this, [this] {
    if (m_lesson)
      Q_EMIT solutionRequested(words(m_lesson->folder + "/solution.py"), words(m_lesson->solution));
  });
}

QString LessonController::folder() const { return m_lesson ? words(m_lesson->folder) : QString(); }

void LessonController::open(size_t position) {
  const Result<QString> path = m_shelf.fileFor(position);
  if (path)
    Q_EMIT openRequested(*path);
  else
    Q_EMIT failed(words(path.error().message));
  // Where it was not opened, the list still names the one on show.
  showList();
}

std::optional<size_t> LessonController::openFrom(const QString &path) {
  const Result<size_t> position = m_shelf.openFrom(path);
  if (!position) {
    Q_EMIT failed(words(position.error().message));
    return std::nullopt;
  }
  // It may be a new version of the one on show.
  if (m_shown == *position)
    showLesson(m_shown);
  else
    showList();
  // What is kept of opened lessons is nobody's work.
  const QString folder = QFileInfo(path).isDir() ? QFileInfo(path).canonicalFilePath() : QString();
  follow(m_shelf.isKept(folder) ? QString() : folder);
  return *position;
}

void LessonController::follow(const QString &folder) {
  m_authors = folder;
  m_view->setNotice({});
  QStringList files;
  // What is not there yet may come.
  for (const char *name : {"lesson.toml", "text.md", "start.py", "solution.py", "launches.py"})
    files << QDir(folder).filePath(QString::fromLatin1(name));
  for (const QString &name : folder.isEmpty() ? QStringList() : QDir(folder).entryList(QDir::Files))
    if (isLessonPartName(name.toStdString()))
      files << QDir(folder).filePath(name);
  files.removeDuplicates();
  m_authorsFiles.setFiles(folder.isEmpty() ? QStringList() : files);
}

/// While the folder has a fault, the lesson stays as it was, and the fault is told above it.
void LessonController::takeAuthors() {
  if (m_authors.isEmpty())
    return;
  const Result<size_t> position = m_shelf.openFrom(m_authors);
  const Result<std::shared_ptr<const Lesson>> lesson =
      position ? m_shelf.lesson(*position) : position.error();
  if (!lesson)
    return m_view->setNotice(tr("Not as the files are now: %1").arg(words(lesson.error().message)));
  follow(m_authors);
  showList();
  if (m_shown != *position || !m_lesson)
    return;
  setLesson(*lesson);
  m_view->refreshLesson(contentOf(*m_lesson));
  showGoals();
  checkNewest();
}

size_t LessonController::nextUnsolved() const {
  const std::vector<std::string> &ids = m_shelf.ids();
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto found = m_shelf.progress().lessons.find(ids[i]);
    if (found == m_shelf.progress().lessons.end() || found->second.solvedAt.empty())
      return i;
  }
  return 0;
}

void LessonController::setDocument(const DocumentPointer &document) {
  // What ran was another text.
  if (!document || !m_document || document->source->text != m_document->source->text)
    m_measureAt.reset();
  m_document = document;
  const std::optional<size_t> position =
      document ? m_shelf.positionOf(words(document->source->path)) : std::nullopt;
  if (position != m_shown)
    showLesson(position);
  if (document)
    m_questions->setText(document->source->name(), document->source->text);
  checkNewest();
  // A check of a text before goes on: what it has found is of before now.
  if (m_isSlow && m_lesson)
    showGoals();
}

void LessonController::setWithoutKernel() {
  m_document = nullptr;
  m_states.clear();
  m_checkedText.clear();
  m_slow.stop();
  setSlow(false);
}

/// Reasons of a text that is gone are told apart from those of the newest.
void LessonController::setSlow(bool isSlow) {
  m_isSlow = isSlow;
  if (m_lesson)
    showGoals();
  m_view->setChecking(isSlow);
}

bool LessonController::isOfNewest(const KnownGoal &known) const {
  return known.number == m_number && m_document && m_document->source->text == m_checkedText;
}

void LessonController::showList() {
  std::vector<LessonEntry> entries;
  size_t position = 0;
  for (const Chapter &chapter : m_shelf.chapters())
    for (const std::string &id : chapter.lessons) {
      const auto score = m_shelf.progress().lessons.find(id);
      entries.push_back(
          {words(m_shelf.titles()[position++]), words(chapter.title),
           score != m_shelf.progress().lessons.end() && !score->second.solvedAt.empty()});
    }
  m_view->setLessons(entries, m_shown ? static_cast<int>(*m_shown) : -1);
  Q_EMIT listed();
}

void LessonController::showLesson(std::optional<size_t> position) {
  m_shown = position;
  m_lesson = nullptr;
  m_live.clear();
  m_states.clear();
  m_checkedText.clear();
  setSlow(false);
  showList();
  m_questions->setLesson(nullptr, 0);
  if (!position) {
    m_view->setEmpty(m_shelf.fault().isEmpty()
                         ? tr("Choose a lesson above. Your file of it is kept, and so is how far "
                              "you have come.")
                         : m_shelf.fault());
    return;
  }
  const Result<std::shared_ptr<const Lesson>> lesson = m_shelf.lesson(*position);
  if (!lesson)
    return m_view->setEmpty(words(lesson.error().message));
  setLesson(*lesson);
  m_view->setLesson(contentOf(*m_lesson));
  showGoals();
}

/// Nothing is known of its goals.
void LessonController::setLesson(std::shared_ptr<const Lesson> lesson) {
  m_lesson = std::move(lesson);
  m_live.clear();
  m_states.clear();
  m_checkedText.clear();
  // What is wrong with one is told when the lesson is read.
  if (Result<std::vector<LiveElement>> live = liveElementsIn(m_lesson->text))
    m_live = std::move(*live);
  m_questions->setLesson(m_lesson, *m_shown);
}

LessonContent LessonController::contentOf(const Lesson &lesson) const {
  LessonContent content{words(lesson.title), lesson.minutes, words(lesson.text), {}};
  for (const std::string &hint : lesson.hints)
    content.hints << words(hint);
  if (const auto score = m_shelf.progress().lessons.find(lesson.id);
      score != m_shelf.progress().lessons.end())
    content.openHints = score->second.hints;
  return content;
}

void LessonController::checkNewest() {
  if (!m_lesson || !m_document || m_document->source->text == m_checkedText)
    return;
  if (m_isChecking) {
    if (m_since.hasExpired(kPatienceMs))
      m_backend->cancel();
    return;
  }
  m_isChecking = true;
  m_since.start();
  m_slow.start();
  m_checkedText = m_document->source->text;
  m_backend->check({++m_number, m_lesson, m_document->source->name(), m_checkedText, m_live,
                    std::exchange(m_measureAt, std::nullopt)});
}

void LessonController::measureAt(const RunPlace &place, const std::string &text) {
  const auto isTimed = [](const Goal &goal) { return goal.kind == GoalKind::Time; };
  if (place.kind == RunPlace::Kind::Cpu || !m_lesson || !m_document ||
      m_document->source->text != text || std::ranges::none_of(m_lesson->goals, isTimed))
    return;
  m_measureAt = place;
  m_checkedText.clear();
  checkNewest();
}

static ShownGoal::State shownState(GoalVerdict verdict) {
  switch (verdict) {
  case GoalVerdict::Met:
    return ShownGoal::State::Met;
  case GoalVerdict::NotMet:
    return ShownGoal::State::NotMet;
  case GoalVerdict::Unknown:
    break;
  }
  return ShownGoal::State::Unknown;
}

void LessonController::showGoals() {
  std::vector<ShownGoal> goals;
  for (size_t i = 0; i < m_lesson->goals.size(); ++i) {
    goals.push_back({.text = words(m_lesson->goals[i].text), .hints = m_lesson->goals[i].hints});
    if (i >= m_states.size() || !m_states[i])
      continue;
    const GoalState &state = m_states[i]->state;
    goals.back().state = shownState(state.verdict);
    goals.back().evidence = words(state.evidence);
    goals.back().hasPlace = state.place.has_value();
    goals.back().isOfBefore = m_isSlow && !isOfNewest(*m_states[i]);
  }
  m_view->setGoals(goals, m_isChecking && !m_states.empty());
}

void LessonController::takeGoal(uint64_t number, size_t goal, const GoalState &state) {
  if (number != m_number || !m_lesson || m_checkedText.empty() || goal >= m_lesson->goals.size())
    return;
  m_states.resize(m_lesson->goals.size());
  m_states[goal] = KnownGoal{state, number};
  showGoals();
}

void LessonController::showLive(uint64_t number, const std::vector<ShownElement> &elements) {
  if (number != m_number || !m_lesson)
    return;
  std::vector<views::LiveContent> shown;
  for (const ShownElement &each : elements) {
    QImage picture;
    if (each.layout && m_paintLayout)
      picture = m_paintLayout(*each.layout, m_view->pictureWidth());
    shown.push_back({words(each.address), words(each.table), picture, words(each.why)});
  }
  m_view->setLive(shown);
}

std::vector<std::string> LessonController::openGoals() const {
  std::vector<std::string> open;
  for (size_t i = 0; i < m_states.size(); ++i)
    if (!m_states[i] || m_states[i]->state.verdict != GoalVerdict::Met)
      open.push_back(m_lesson->goals[i].text);
  return open;
}

void LessonController::keepProgress() {
  const Result<bool> isNews =
      m_shelf.note(*m_shown, static_cast<int>(m_states.size()), openGoals());
  if (!isNews)
    Q_EMIT failed(tr("How far you have come was not kept: %1").arg(words(isNews.error().message)));
  else if (*isNews)
    showList();
}

void LessonController::take(uint64_t number, const GoalStates &states) {
  if (number != m_number)
    return;
  m_isChecking = false;
  m_slow.stop();
  // The answer is about a text of this lesson, if not about the newest.
  if (m_lesson && m_shown && states && states->size() == m_lesson->goals.size() &&
      !m_checkedText.empty()) {
    m_states.clear();
    for (const GoalState &state : *states)
      m_states.emplace_back(KnownGoal{state, number});
    showGoals();
    keepProgress();
    if (openGoals().empty())
      Q_EMIT solved(m_checkedText);
  } else if (!states && states.error().code == ErrorCode::Cancelled) {
    m_checkedText.clear();
  }
  // With a newer text, what is shown stays one of before until that is checked, too.
  if (!m_document || m_document->source->text == m_checkedText)
    setSlow(false);
  checkNewest();
}

} // namespace tilescope::app
