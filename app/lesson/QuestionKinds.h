// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/GoalKinds.h"

namespace tilescope::app {

/// What an answer looks like.
enum class AnswerForm : uint8_t {
  Number,
  /// A number for each dimension.
  Index,
  /// The number of a line, from 1; 0: none.
  Line,
  /// What limits occupancy, one of `occupancyLimiters`.
  Limiter,
};

/// What holds for all questions of a kind.
struct QuestionKindFacts {
  QuestionKind kind{};
  /// The `kind` in lesson.toml: `sectors-per-request`.
  std::string_view id;
  AnswerForm form{};
  GoalNeeds needs{};
  /// The view that shows the answer, by its id.
  std::string_view view;
};

const QuestionKindFacts &questionKindFacts(QuestionKind kind);
/// Nothing: there is no such kind.
std::optional<QuestionKind> findQuestionKind(std::string_view id);
/// All ids, separated by commas.
std::string questionKindNames();

/// In the words of `profiler::Occupancy::limiter`.
const std::vector<std::string> &occupancyLimiters();

} // namespace tilescope::app
