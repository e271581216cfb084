// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonQuestions.h"

#include "views/lesson/QuestionPanel.h"

#include <QStringList>

namespace tilescope::app {

using views::ShownQuestion;
using State = ShownQuestion::State;

static QString words(const std::string &text) { return QString::fromStdString(text); }

LessonQuestions::LessonQuestions(LessonShelf *shelf, LessonBackend *backend,
                                 views::QuestionPanel *panel, QObject *parent)
    : QObject(parent), m_shelf(shelf), m_backend(backend), m_panel(panel) {
  connect(m_panel, &views::QuestionPanel::answered, this, &LessonQuestions::ask);
  connect(m_backend, &LessonBackend::answered, this, &LessonQuestions::take);
}

static ShownQuestion shownQuestion(const Question &question) {
  ShownQuestion shown{words(question.text), {}, {}};
  switch (questionKindFacts(question.kind).form) {
  case AnswerForm::Number:
    shown.form = LessonQuestions::tr("a number");
    break;
  case AnswerForm::Index:
    shown.form = LessonQuestions::tr("an index such as [64, 0], or click it in the picture");
    break;
  case AnswerForm::Limiter:
    for (const std::string &name : occupancyLimiters())
      shown.choices << words(name);
    break;
  }
  return shown;
}

void LessonQuestions::setLesson(std::shared_ptr<const Lesson> lesson, size_t position) {
  m_lesson = std::move(lesson);
  m_position = position;
  m_asked.reset();
  ++m_number;
  std::vector<ShownQuestion> shown;
  if (m_lesson)
    for (const Question &question : m_lesson->questions)
      shown.push_back(shownQuestion(question));
  m_panel->setQuestions(std::move(shown));
  showKept();
  showScore();
}

void LessonQuestions::setText(const std::string &path, const std::string &text) {
  if (text == m_text && path == m_path)
    return;
  m_path = path;
  m_text = text;
  m_asked.reset();
  ++m_number;
  if (m_lesson)
    for (size_t i = 0; i < m_lesson->questions.size(); ++i)
      m_panel->setQuestion(static_cast<int>(i), shownQuestion(m_lesson->questions[i]));
  showKept();
}

/// A learner who comes back to the same text finds it as it was.
void LessonQuestions::showKept() {
  if (const auto kept = m_kept.find(m_position);
      m_lesson && kept != m_kept.end() && kept->second.text == m_text)
    for (const auto &[question, shown] : kept->second.answered)
      m_panel->setQuestion(question, shown);
}

void LessonQuestions::takeElement(const std::vector<int64_t> &element) {
  const int current = m_panel->current();
  if (!m_lesson || current < 0 ||
      questionKindFacts(m_lesson->questions[static_cast<size_t>(current)].kind).form !=
          AnswerForm::Index)
    return;
  QStringList numbers;
  for (const int64_t each : element)
    numbers << QString::number(each);
  m_panel->fillIn(u'[' + numbers.join(QStringLiteral(", ")) + u']');
}

void LessonQuestions::showState(int question, State state, const QString &shownWords) {
  ShownQuestion shown = shownQuestion(m_lesson->questions[static_cast<size_t>(question)]);
  shown.state = state;
  shown.words = shownWords;
  m_panel->setQuestion(question, shown);
  if (state != State::Right && state != State::Wrong)
    return;
  Kept &kept = m_kept[m_position];
  if (kept.text != m_text)
    kept = {m_text, {}};
  kept.answered[question] = std::move(shown);
}

void LessonQuestions::ask(int question, const QString &answer) {
  if (!m_lesson || m_asked)
    return;
  const Question &asked = m_lesson->questions[static_cast<size_t>(question)];
  const Result<AnswerNumbers> given = parseAnswer(asked, answer.trimmed().toStdString());
  if (!given)
    return showState(question, State::Refused, words(given.error().message));
  m_asked = {question, *given};
  showState(question, State::Asked, {});
  m_backend->ask({++m_number, m_lesson, static_cast<size_t>(question), m_path, m_text});
}

void LessonQuestions::take(uint64_t number, const FoundAnswer &answer) {
  if (number != m_number || !m_asked || !m_lesson)
    return;
  const Asked asked = *m_asked;
  m_asked.reset();
  if (!answer)
    return showState(asked.question, State::Refused,
                     tr("This kernel has no answer: %1").arg(words(answer.error().message)));
  const bool right = isRight(*answer, asked.given);
  showState(asked.question, right ? State::Right : State::Wrong,
            (right ? QString() : tr("It is %1. ").arg(words(answer->text))) +
                words(answer->explanation));
  if (Status kept = m_shelf->noteAnswer(m_position, asked.question, right); !kept)
    Q_EMIT failed(tr("How far you have come was not kept: %1").arg(words(kept.error().message)));
  showScore();
  const QuestionKind kind = m_lesson->questions[static_cast<size_t>(asked.question)].kind;
  const std::string_view view = questionKindFacts(kind).view;
  Q_EMIT revealed(QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())),
                  answer->place);
}

void LessonQuestions::showScore() {
  if (!m_lesson || m_lesson->questions.empty())
    return;
  int atOnce = 0, answered = 0;
  const auto &lessons = m_shelf->progress().lessons;
  if (const auto score = lessons.find(m_lesson->id); score != lessons.end())
    for (const auto &[question, each] : score->second.questions) {
      ++answered;
      atOnce += each.isRightAtOnce;
    }
  m_panel->setScore(
      answered == 0 ? QString() : tr("%1 of %2 right at the first try").arg(atOnce).arg(answered));
}

} // namespace tilescope::app
