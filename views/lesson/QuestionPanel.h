// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/lesson/LessonContent.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace tilescope::views {

/// Questions to predict an answer to, one at a time: a field or a choice, and below it what is right
/// and why. Hidden while there is none.
class QuestionPanel : public QWidget {
  Q_OBJECT
public:
  explicit QuestionPanel(QWidget *parent = nullptr);

  /// The first one is shown, and the field is empty.
  void setQuestions(std::vector<ShownQuestion> questions);
  /// Changes one of them; what was typed stays.
  void setQuestion(int question, const ShownQuestion &shown);
  const std::vector<ShownQuestion> &questions() const { return m_questions; }
  /// The position of the question that is shown; -1: none.
  int current() const { return m_current; }
  /// Puts an answer into the field, as typing does. A choice is not changed.
  void fillIn(const QString &answer);
  /// How many are right, below the question.
  void setScore(const QString &score);

  QLineEdit &field() { return *m_field; }
  QComboBox &choice() { return *m_choice; }
  QPushButton &answerButton() { return *m_answer; }
  /// Asks for the solution; hidden while there is none to show.
  QPushButton &solutionButton() { return *m_solution; }
  QToolButton &nextButton() { return *m_next; }
  /// Right or wrong, and why.
  QString resultText() const;

Q_SIGNALS:
  void answered(int question, const QString &answer);
  /// The learner gives up, and wants to know what is right.
  void solutionRequested(int question);

protected:
  void changeEvent(QEvent *event) override;

private:
  void createFields();
  /// As large as the text is.
  void fitMargins();
  void go(int question);
  void showCurrent();
  void giveAnswer();

  std::vector<ShownQuestion> m_questions;
  int m_current = -1;
  QLabel *m_title;
  QLabel *m_text;
  QStackedWidget *m_fields;
  QLineEdit *m_field;
  QComboBox *m_choice;
  QPushButton *m_solution;
  QPushButton *m_answer;
  QToolButton *m_previous;
  QToolButton *m_next;
  QLabel *m_result;
};

} // namespace tilescope::views
