// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/TimedAttempt.h"
#include "app/launch/KeptExpectations.h"
#include "app/lesson/GoalCheck.h"
#include "app/lesson/GoalKinds.h"

#include <functional>
#include <set>

namespace tilescope::app {

/// A learner's text in one launch of a lesson; of a lesson without launches, in its own.
struct AttemptLaunch {
  const Lesson &lesson;
  size_t launch = 0;
  std::string path, text;
};

/// What checks leave to those after them, which an edit does not change. Thread: one.
struct KeptFacts {
  KeptExpectations expectations;
  KeptTimes times;
};

/// What is wanted of facts that are expensive.
struct FactWishes {
  /// The programs whose touches are traced.
  compiler::ProgramSample programs = {0, 1, 1};
  /// Of outputs that differ, too.
  bool hasDiagnostics = false;
  /// Positions of the lesson's baselines.
  std::set<size_t> baselines = {};
  /// The GPU that measures times; nothing: the model's estimates are enough.
  std::optional<RunPlace> measureAt = std::nullopt;
};

/// Finds what is known of a kernel in one launch, a part after another. Thread: the worker's.
class AttemptFacts {
public:
  /// `kept` may be null.
  AttemptFacts(compiler::WorkerClient &worker, AttemptLaunch attempt, KeptFacts *kept,
               std::stop_token stop);

  /// Finds one part; nothing happens once the kernel has failed. The error is about the environment.
  Status find(GoalNeeds needs, const FactWishes &wishes = {});

  const LaunchOutcome &outcome() const { return m_outcome; }
  /// The result of the newest compilation, with the plan of the launch.
  const CompiledFile &file() const { return m_file; }

private:
  Status compile(compiler::StageId stopAfter, bool wantsLayouts = false);
  /// `take` gets what was found; errors of the kernel are among the diagnostics.
  Status inspect(compiler::InspectMessage wishes,
                 const std::function<void(compiler::InspectDoneReply &)> &take);
  Status count(bool wantsHints);
  Status trace(const compiler::ProgramSample &programs);
  Status run(bool hasDiagnostics);
  Status time(const FactWishes &wishes);
  Status pressure();
  void addDiagnostics(const std::vector<compiler::Diagnostic> &found);

  compiler::WorkerClient *m_worker;
  KeptFacts *m_kept;
  std::stop_token m_stop;
  const Lesson *m_lesson;
  size_t m_launch;
  InputFile m_input;
  compiler::Selection m_selection;
  CompiledFile m_file;
  LaunchOutcome m_outcome;
};

} // namespace tilescope::app
