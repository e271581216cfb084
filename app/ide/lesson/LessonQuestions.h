// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/lesson/LessonBackend.h"
#include "app/ide/lesson/LessonShelf.h"
#include "views/lesson/LessonContent.h"

#include <map>

namespace tilescope::views {
class QuestionPanel;
} // namespace tilescope::views

namespace tilescope::app {

/// The questions of the lesson on show: what the learner predicts is compared with what the compiler
/// finds of the newest text, and how often that was right is kept.
class LessonQuestions : public QObject {
  Q_OBJECT
public:
  LessonQuestions(LessonShelf *shelf, LessonBackend *backend, views::QuestionPanel *panel,
                  QObject *parent);

  /// Null: there is no lesson.
  void setLesson(std::shared_ptr<const Lesson> lesson, size_t position);
  /// Answers about another text are shown as such; those about this one, given before, as they were.
  void setText(const std::string &path, const std::string &text);
  /// An element that was clicked in a diagram becomes the answer, if an index is asked for.
  void takeElement(const std::vector<int64_t> &element);

Q_SIGNALS:
  /// Where the answer is to be seen: the view, the program of the grid that it has to show, if the
  /// question is about one, and the place in the text.
  void revealed(const QString &view, const std::vector<int64_t> &program,
                const std::optional<tilescope::SourceRange> &place);
  void failed(const QString &message);

private:
  /// What the compiler is asked.
  struct Asked {
    int question = 0;
    AnswerNumbers given;
  };
  void ask(int question, const QString &answer);
  void take(uint64_t number, const FoundAnswer &answer);
  /// What to show of an answer that is wrong: the first time where to look, then what is right.
  void showWrong(const Asked &asked, const Answer &answer);
  void showSolution(int question);
  void reveal(int question, const std::optional<tilescope::SourceRange> &place);
  void showState(int question, views::ShownQuestion::State state, const QString &words);
  void showScore();
  void showKept();

  LessonShelf *m_shelf;
  LessonBackend *m_backend;
  views::QuestionPanel *m_panel;
  std::shared_ptr<const Lesson> m_lesson;
  size_t m_position = 0;
  std::string m_path, m_text;
  /// Nothing: it is not asked now.
  std::optional<Asked> m_asked;
  uint64_t m_number = 0;
  /// What was answered about a text.
  struct Kept {
    std::string text;
    views::ShownQuestion shown;
    /// What is right, where that is not told yet.
    QString solution = {};
    /// What the answer is about.
    std::optional<SourceRange> place = {};
  };
  /// By the position of the lesson and the question.
  std::map<std::pair<size_t, int>, Kept> m_kept;
};

} // namespace tilescope::app
