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
  connect(m_panel, &views::QuestionPanel::solutionRequested, this, &LessonQuestions::showSolution);
  connect(m_backend, &LessonBackend::answered, this, &LessonQuestions::take);
}

static ShownQuestion shownQuestion(const Question &question) {
  ShownQuestion shown{words(question.text), {}, {}};
  switch (questionKindFacts(question.kind).form) {
  case AnswerForm::Number:
    shown.form = LessonQuestions::tr("a number");
    break;
  case AnswerForm::Index:
    shown.form = LessonQuestions::tr("an index, or click it");
    shown.advice = LessonQuestions::tr("An index such as 64 of a vector or [64, 0] of a matrix; or "
                                       "click the element in the picture");
    break;
  case AnswerForm::Line:
    shown.form = LessonQuestions::tr("a line, or 0");
    shown.advice = LessonQuestions::tr("The number of a line, or 0 for none");
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

/// A learner who comes back to the same text finds it as it was. An edit takes no verdict away, but
/// the answer may be another one now.
void LessonQuestions::showKept() {
  if (!m_lesson)
    return;
  for (int i = 0; i < static_cast<int>(m_lesson->questions.size()); ++i)
    if (const auto kept = m_kept.find({m_position, i}); kept != m_kept.end()) {
      ShownQuestion shown = kept->second.shown;
      shown.isOfBefore = kept->second.text != m_text;
      m_panel->setQuestion(i, shown);
    }
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
  if (state != State::Asked && state != State::Refused)
    m_kept[{m_position, question}] = {m_text, std::move(shown)};
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
  if (right)
    showState(asked.question, State::Right, words(answer->explanation));
  else
    showWrong(asked, *answer);
  if (Status kept = m_shelf->noteAnswer(m_position, asked.question, right); !kept)
    Q_EMIT failed(tr("How far you have come was not kept: %1").arg(words(kept.error().message)));
  showScore();
  reveal(asked.question, answer->place);
}

void LessonQuestions::reveal(int question, const std::optional<SourceRange> &place) {
  const Question &asked = m_lesson->questions[static_cast<size_t>(question)];
  const std::string_view view = questionKindFacts(asked.kind).view;
  Q_EMIT revealed(QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())),
                  asked.program, place);
}

/// Which way a number is off; empty for what is not a number.
static QString direction(const Question &question, const AnswerNumbers &right,
                         const AnswerNumbers &given) {
  if (questionKindFacts(question.kind).form != AnswerForm::Number || right.empty() || given.empty())
    return {};
  return right.front() > given.front() ? LessonQuestions::tr("It is more. ")
                                       : LessonQuestions::tr("It is less. ");
}

void LessonQuestions::showWrong(const Asked &asked, const Answer &answer) {
  const QString solution = tr("It is %1. ").arg(words(answer.text)) + words(answer.explanation);
  const auto kept = m_kept.find({m_position, asked.question});
  const bool isSecond = kept != m_kept.end() && kept->second.text == m_text &&
                        kept->second.shown.state != State::Right;
  if (isSecond)
    return showState(asked.question, State::Wrong, solution);
  const Question &question = m_lesson->questions[static_cast<size_t>(asked.question)];
  // Of several holders, none is the nearest.
  const QString nudge =
      answer.right.size() == 1 ? direction(question, answer.right.front(), asked.given) : QString();
  showState(asked.question, State::TryAgain,
            nudge + tr("The view in front shows it: look there, and answer once more."));
  Kept &now = m_kept[{m_position, asked.question}];
  now.solution = solution;
  now.place = answer.place;
}

void LessonQuestions::showSolution(int question) {
  const auto kept = m_kept.find({m_position, question});
  if (!m_lesson || kept == m_kept.end() || kept->second.solution.isEmpty())
    return;
  const std::optional<SourceRange> place = kept->second.place;
  showState(question, State::Wrong, QString(kept->second.solution));
  reveal(question, place);
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
