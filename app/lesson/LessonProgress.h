// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <map>
#include <string>

namespace tilescope::app {

/// How far a learner has come in one lesson.
struct LessonScore {
  /// The most goals that were met at once, and how many there are.
  int numMet = 0, numGoals = 0;
  /// When all of them were met for the first time: `2026-11-26 22:20 UTC`; empty: not yet.
  std::string solvedAt;
  bool operator==(const LessonScore &) const = default;
};

/// What a learner has reached, by ids of lessons. It is kept in one file, which a teacher can
/// collect.
struct LessonProgress {
  std::map<std::string, LessonScore> lessons;

  /// Takes a new state in. True: it is better than what was reached before.
  bool note(const std::string &lesson, int numMet, int numGoals, const std::string &now);
};

/// A file that does not exist yet is an empty progress.
Result<LessonProgress> readProgress(const std::string &path);
Status writeProgress(const std::string &path, const LessonProgress &progress);

} // namespace tilescope::app
