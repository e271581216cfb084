// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/lesson/LessonContent.h"

#include <QListWidget>

namespace tilescope::views {

/// The goals of a lesson, a row each: a mark, what is asked for, and what was found. It is as high
/// as its rows need.
class GoalList : public QListWidget {
  Q_OBJECT
public:
  explicit GoalList(QWidget *parent = nullptr);

  void setGoals(const std::vector<ShownGoal> &goals);
  const std::vector<ShownGoal> &goals() const { return m_goals; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

protected:
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  void fill();
  /// The height of all rows at a width.
  int heightOfRows() const;

  std::vector<ShownGoal> m_goals;
};

} // namespace tilescope::views
