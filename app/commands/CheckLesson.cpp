// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckLesson.h"

#include "app/commands/AttemptFacts.h"
#include "app/lesson/GoalKinds.h"

#include <algorithm>

namespace tilescope::app {

/// What finds the last fault that the kernel of an attempt may have. Code generation takes a quarter of
/// a compilation and finds only what is wrong with assembly in the kernel, so it runs where there is
/// some, or where a goal needs PTX anyway.
static GoalNeeds lastFault(const LessonAttempt &attempt) {
  const bool hasAssembly = attempt.text.find("inline_asm") != std::string::npos;
  const bool isPtxNeeded = std::ranges::any_of(attempt.lesson.goals, [](const Goal &goal) {
    return goalKindFacts(goal.kind).needs >= GoalNeeds::Ptx;
  });
  return hasAssembly || isPtxNeeded ? GoalNeeds::Ptx : GoalNeeds::Lowering;
}

namespace {

/// The goals of a lesson while facts about the launches that they are checked with are found.
class AttemptCheck {
public:
  AttemptCheck(compiler::WorkerClient &worker, const LessonAttempt &attempt,
               const AttemptOptions &options)
      : m_goals(attempt.lesson.goals), m_options(options), m_states(m_goals.size()),
        m_known(m_goals.size(), false), m_lastFault(lastFault(attempt)) {
    for (size_t launch = 0; launch < std::max<size_t>(attempt.lesson.launches.size(), 1); ++launch)
      if (std::ranges::find(m_goals, launch, &Goal::launch) != m_goals.end())
        m_launches.push_back(
            {launch, AttemptFacts(worker, {attempt.lesson, launch, attempt.path, attempt.text},
                                  options.kept, options.stop)});
  }

  Result<std::vector<GoalState>> run() {
    static constexpr GoalNeeds kOrder[] = {
        GoalNeeds::Text, GoalNeeds::Launch,   GoalNeeds::Counts, GoalNeeds::Touches,
        GoalNeeds::Run,  GoalNeeds::Lowering, GoalNeeds::Ptx,    GoalNeeds::MachineCode,
        GoalNeeds::Time, GoalNeeds::Hints};
    for (const GoalNeeds needs : kOrder)
      for (LaunchState &launch : m_launches) {
        if (isWanted(launch, needs))
          if (Status found = launch.facts.find(needs, wishes(launch.index)); !found)
            return found.error();
        tell(launch, needs);
      }
    return std::move(m_states);
  }

private:
  struct LaunchState {
    size_t index = 0;
    AttemptFacts facts;
  };

  bool isWanted(const LaunchState &launch, GoalNeeds needs) const {
    // Every launch is compiled, and one as far as it may fail: what fails on the way fails all goals.
    if (needs == GoalNeeds::Launch ||
        (needs == m_lastFault && &launch == &m_launches.front() && !isPtxMade()))
      return true;
    return std::ranges::any_of(m_goals, [&](const Goal &goal) {
      return goal.launch == launch.index && goalKindFacts(goal.kind).needs == needs;
    });
  }

  /// Some launch is compiled that far for the sake of a goal.
  bool isPtxMade() const {
    return std::ranges::any_of(m_goals, [](const Goal &goal) {
      const GoalNeeds needs = goalKindFacts(goal.kind).needs;
      return needs == GoalNeeds::Ptx || needs == GoalNeeds::MachineCode;
    });
  }

  FactWishes wishes(size_t launch) const {
    FactWishes wishes;
    wishes.measureAt = m_options.measureAt;
    for (const Goal &goal : m_goals)
      if (goal.launch == launch) {
        wishes.programs.count =
            std::max(wishes.programs.count, static_cast<uint64_t>(goal.programs));
        wishes.hasDiagnostics |=
            goal.kind == GoalKind::DiagnosticAppears || goal.kind == GoalKind::DiagnosticGone;
        if (goal.kind == GoalKind::Time)
          wishes.baselines.insert(goal.baseline);
      }
    return wishes;
  }

  /// Goals that are decided by now; all of them when the kernel does not compile.
  void tell(const LaunchState &launch, GoalNeeds needs) {
    const LaunchOutcome &outcome = launch.facts.outcome();
    const bool isOver = needs > GoalNeeds::Text && !outcome.isCompiled;
    for (size_t i = 0; i < m_goals.size(); ++i) {
      if (m_goals[i].launch != launch.index ||
          (!isOver && goalKindFacts(m_goals[i].kind).needs > needs))
        continue;
      GoalState state = checkGoal(m_goals[i], outcome);
      if (m_known[i] && state == m_states[i])
        continue;
      m_known[i] = true;
      m_states[i] = std::move(state);
      if (m_options.told)
        m_options.told(i, m_states[i]);
    }
  }

  const std::vector<Goal> &m_goals;
  const AttemptOptions &m_options;
  std::vector<GoalState> m_states;
  std::vector<bool> m_known;
  std::vector<LaunchState> m_launches;
  GoalNeeds m_lastFault;
};

} // namespace

Result<std::vector<GoalState>> checkAttempt(compiler::WorkerClient &worker,
                                            const LessonAttempt &attempt,
                                            const AttemptOptions &options) {
  return AttemptCheck(worker, attempt, options).run();
}

} // namespace tilescope::app
