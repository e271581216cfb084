// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Answers to questions about a kernel, from what the compiler knows of it.
#pragma once

#include "app/lesson/GoalCheck.h"
#include "app/lesson/HeldElements.h"
#include "app/lesson/QuestionKinds.h"
#include "compiler/support/Result.h"

namespace tilescope::app {

/// What a learner says: a number, an index, or the position of a choice.
using AnswerNumbers = std::vector<double>;

/// What is right, and why.
struct Answer {
  /// Any of them is right: of a value that several threads hold, each holder.
  std::vector<AnswerNumbers> right;
  /// The first of them as it is shown: `4`, `[64, 0]`, `registers`.
  std::string text;
  /// A sentence with the numbers of the kernel.
  std::string explanation;
  /// The place in the learner's file that it is about.
  std::optional<SourceRange> place;
  /// Numbers are names, such as those of lines: one beside it is wrong.
  bool isExact = false;
  bool operator==(const Answer &) const = default;
};

/// The answer for a kernel; the error says why there is none: it does not compile, it has no such
/// access, a tool is missing (`ErrorCode::Environment`).
Result<Answer> answerTo(const Question &question, const LaunchOutcome &outcome);

/// The block that is loaded from the argument that a question is about. It refers to `outcome`.
Result<HeldBlock> meantBlock(const Question &question, const LaunchOutcome &outcome);

/// Reads what was typed: `12`, `1,024`, `[64, 0]`, `registers`. The error says what to type.
Result<AnswerNumbers> parseAnswer(const Question &question, std::string_view text);

/// Numbers may be off by a hundredth.
bool isRight(const Answer &answer, const AnswerNumbers &given);

} // namespace tilescope::app
