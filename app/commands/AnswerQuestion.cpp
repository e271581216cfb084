// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AnswerQuestion.h"

#include "app/commands/AttemptFacts.h"

#include <fmt/format.h>

namespace tilescope::app {

/// The number of the program that a question names.
static Result<uint64_t> programNumber(const Question &question,
                                      const std::array<int64_t, 3> &grid) {
  uint64_t number = 0, stride = 1;
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    const int64_t index = axis < question.program.size() ? question.program[axis] : 0;
    if (index < 0 || index >= grid[axis])
      return Error{ErrorCode::InvalidInput,
                   fmt::format("the grid of {} × {} × {} has no program ({})", grid[0], grid[1],
                               grid[2], fmt::join(question.program, ", ")),
                   ""};
    number += static_cast<uint64_t>(index) * stride;
    stride *= static_cast<uint64_t>(grid[axis]);
  }
  return number;
}

Result<Answer> answerQuestion(compiler::WorkerClient &worker, const LessonAttempt &attempt,
                              const Question &question, const std::stop_token &stop) {
  AttemptFacts facts(worker, {attempt.lesson, question.launch, attempt.path, attempt.text}, nullptr,
                     stop);
  const GoalNeeds needs = questionKindFacts(question.kind).needs;
  if (Status found = facts.find(GoalNeeds::Launch); !found)
    return found.error();
  FactWishes wishes;
  if (needs == GoalNeeds::Touches && facts.outcome().isCompiled) {
    const Result<uint64_t> program = programNumber(question, facts.outcome().grid);
    if (!program)
      return program.error();
    wishes.programs = {*program, 1, 1};
  }
  // Which load is that of the argument is known from its accesses.
  if (needs == GoalNeeds::Layouts)
    if (Status found = facts.find(GoalNeeds::Counts); !found)
      return found.error();
  if (needs != GoalNeeds::Launch)
    if (Status found = facts.find(needs, wishes); !found)
      return found.error();
  return answerTo(question, facts.outcome());
}

} // namespace tilescope::app
