// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ShowElements.h"

#include "app/commands/AttemptFacts.h"

#include <algorithm>

namespace tilescope::app {

Result<std::vector<ShownElement>> showElements(compiler::WorkerClient &worker,
                                               const LessonAttempt &attempt,
                                               const std::vector<LiveElement> &elements,
                                               const std::stop_token &stop) {
  AttemptFacts facts(worker, {attempt.lesson, 0, attempt.path, attempt.text}, nullptr, stop);
  std::vector<GoalNeeds> needs{GoalNeeds::Launch, GoalNeeds::Counts};
  // Which load is that of an argument is known from the counts.
  if (std::ranges::any_of(elements, [](const auto &each) { return !each.argument.empty(); }))
    needs.push_back(GoalNeeds::Layouts);
  for (const GoalNeeds each : needs)
    if (Status found = facts.find(each); !found)
      return found.error();
  std::vector<ShownElement> shown;
  for (const LiveElement &each : elements)
    shown.push_back(showElement(each, facts.outcome()));
  return shown;
}

} // namespace tilescope::app
