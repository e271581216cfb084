// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include <vector>

namespace tilescope::views {

/// Where a goal of a lesson stands.
struct ShownGoal {
  enum class State {
    /// Nothing is known yet.
    Open,
    Met,
    NotMet,
    /// Something that is needed to tell is missing.
    Unknown,
  };
  QString text;
  State state = State::Open;
  /// What shows it; empty while nothing is known.
  QString evidence = {};
  /// It is about a place in the text, where one can go.
  bool hasPlace = false;
  /// It was found for a text before the newest, whose check takes its time.
  bool isOfBefore = false;
  /// Positions of the hints that lead to it.
  std::vector<int> hints = {};
  bool operator==(const ShownGoal &) const = default;
};

/// A question about the learner's kernel, and where it stands.
struct ShownQuestion {
  enum class State {
    /// To be answered.
    Open,
    /// The compiler is asked.
    Asked,
    Right,
    /// Wrong, and what is right is not told yet; `words` say where to look.
    TryAgain,
    /// What is right is told.
    Wrong,
    /// There is no answer, or the learner's was none; `words` say why.
    Refused,
  };
  QString text;
  /// What there is to choose from; empty: the answer is typed.
  QStringList choices;
  /// Of an answer that is typed: what it looks like, short enough for a narrow field; and more of it,
  /// which may be empty.
  QString form;
  QString advice = {};
  State state = State::Open;
  /// What is right and why, once it was answered.
  QString words = {};
  /// It was answered about the text as it was before an edit.
  bool isOfBefore = false;
  bool operator==(const ShownQuestion &) const = default;
};

/// A lesson as the view shows it.
struct LessonContent {
  QString title;
  /// What a learner needs for it, about.
  int minutes = 0;
  /// Markdown.
  QString text;
  QStringList hints;
  /// The positions of those that are open, in the order in which they were opened.
  std::vector<int> openHints = {};
};

/// What stands in a place of the text that shows the learner's kernel. One of the parts is there.
struct LiveContent {
  /// By which the text names it: `live:accesses`.
  QString address;
  /// Markdown.
  QString table = {};
  QImage picture = {};
  /// Why there is neither.
  QString why = {};
};

/// A lesson in the list of all.
struct LessonEntry {
  QString title, chapter;
  bool isSolved = false;
};

} // namespace tilescope::views
