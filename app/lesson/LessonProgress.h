// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::app {

/// How a learner has answered a question.
struct QuestionScore {
  int tries = 0;
  bool isRightAtOnce = false, isRight = false;
  bool operator==(const QuestionScore &) const = default;
};

/// How far a learner has come in one lesson.
struct LessonScore {
  /// The most goals that were met at once, and how many there are.
  int numMet = 0, numGoals = 0;
  /// The texts of the goals that were not met at the last check.
  std::vector<std::string> open = {};
  /// When all of them were met for the first time: `2026-11-26 22:20 UTC`; empty: not yet.
  std::string solvedAt = {};
  /// Those that were answered, by their positions in the lesson.
  std::map<int, QuestionScore> questions = {};
  /// The positions of the hints that are open, in the order in which they were opened.
  std::vector<int> hints = {};
  bool operator==(const LessonScore &) const = default;
};

/// What a learner has reached, by ids of lessons. It is kept in one file, which a teacher can
/// collect.
struct LessonProgress {
  std::map<std::string, LessonScore> lessons;

  /// Takes a new state in: the goals that are not met now. True: it differs from what was known.
  bool note(const std::string &lesson, int numGoals, std::vector<std::string> open,
            const std::string &now);

  /// Takes in an answer to a question, by its position in the lesson.
  void noteAnswer(const std::string &lesson, int question, bool isRight);
};

/// A file that does not exist yet is an empty progress.
Result<LessonProgress> readProgress(const std::string &path);
Status writeProgress(const std::string &path, const LessonProgress &progress);

} // namespace tilescope::app
