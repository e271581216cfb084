// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/lesson/LessonContent.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTextBrowser;
class QToolButton;

namespace tilescope::views {

class FlowLayout;
class GoalList;
class QuestionPanel;

/// A lesson: its text, the goals with where they stand, and hints that open one by one. Links in
/// the text such as `tilescope:access` lead to views.
class LessonView : public QWidget {
  Q_OBJECT
public:
  explicit LessonView(QWidget *parent = nullptr);

  /// All lessons, in their order, and the one that is shown; -1: none.
  void setLessons(const std::vector<LessonEntry> &lessons, int shown);
  /// The text is scrolled to its beginning.
  void setLesson(const LessonContent &lesson);
  /// The same lesson, as its author has it now: the place in the text and open hints stay.
  void refreshLesson(const LessonContent &lesson);
  /// What is to be said of the lesson, above its text; empty: nothing.
  void setNotice(const QString &words);
  QString notice() const;
  /// Of the lesson's newest text, in place of what was there.
  void setLive(const std::vector<LiveContent> &live);
  /// How wide pictures in the text can be.
  int pictureWidth() const;
  /// While a check is under way, goals are told one by one and the summary stays: some are still
  /// of the text before.
  void setGoals(const std::vector<ShownGoal> &goals, bool isUnderWay = false);
  /// The goals are those of an earlier text, and a newer one is being checked.
  void setChecking(bool isChecking);
  /// `words` says why there is no lesson.
  void setEmpty(const QString &words);

  /// The list of lessons and the ways to the next: in the row of the view's title.
  QWidget *header() const { return m_header; }
  QTextBrowser &page() { return *m_page; }
  GoalList &goals() { return *m_goals; }
  QuestionPanel &questions() { return *m_questions; }
  QComboBox &lessons() { return *m_lessons; }
  QPushButton &hintButton() { return *m_hint; }
  QPushButton &startOverButton() { return *m_startOver; }
  QPushButton &solutionButton() { return *m_solution; }
  QToolButton &nextButton() { return *m_next; }
  /// What stands below the goals: that all are met, or how many are.
  QString summary() const;

Q_SIGNALS:
  /// A position in the list of lessons.
  void lessonRequested(int position);
  void goalActivated(int goal);
  /// What stands behind `tilescope:` in a link.
  void viewRequested(const QString &view);
  /// The learner has opened one, or closed them all: the positions of those that are open, in the
  /// order in which they were opened.
  void hintsChanged(const std::vector<int> &open);
  void startOverRequested();
  void solutionRequested();

protected:
  bool event(QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void createHeader();
  void showPage();
  void leaveRoomForText();
  void showNextHint();
  /// The one that leads to the first goal which is not met, else the first that is closed; nothing:
  /// all are open.
  std::optional<int> nextHint() const;
  void updateButtons();
  void closeHints();
  void takeOpenHints(const std::vector<int> &open);
  int positionAt(int row) const;
  void showSummary();

  /// The text with hints, and with what stands in live places.
  QString shownText() const;

  LessonContent m_lesson;
  std::vector<LiveContent> m_live;
  bool m_hasLesson = false;
  bool m_isChecking = false;
  /// The positions of the hints that are open. They are numbered in this order, in which they were
  /// opened.
  std::vector<int> m_openHints;
  int m_numLessons = 0;
  QWidget *m_header;
  QComboBox *m_lessons;
  QToolButton *m_previous;
  QToolButton *m_next;
  QLabel *m_notice;
  QTextBrowser *m_page;
  GoalList *m_goals;
  QuestionPanel *m_questions;
  QLabel *m_summary;
  FlowLayout *m_buttons;
  QPushButton *m_hint;
  QPushButton *m_startOver;
  QPushButton *m_solution;
};

} // namespace tilescope::views
