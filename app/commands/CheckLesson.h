// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/AttemptFacts.h"
#include "app/lesson/GoalCheck.h"
#include "compiler/service/WorkerClient.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace tilescope::app {

/// A text that is to meet the goals of a lesson.
struct LessonAttempt {
  const Lesson &lesson;
  /// What messages call it.
  std::string path;
  std::string text;
};

struct AttemptOptions {
  std::stop_token stop = {};
  /// Told of each goal as soon as something is known of it; a goal may be told again when the kernel
  /// fails behind what decided it. May be empty.
  std::function<void(size_t goal, const GoalState &state)> told = {};
  /// What the checks before this one left; null: nothing is kept.
  KeptFacts *kept = nullptr;
  /// The GPU that measures the times that goals are about; nothing: the model estimates them.
  std::optional<RunPlace> measureAt = std::nullopt;
};

/// Where the goals of a lesson stand for a text, in their order: the text is compiled, its accesses
/// are counted and the interpreter runs it, as far as the goals need that, and what costs least
/// first. The error is about the environment. Thread: the worker's.
Result<std::vector<GoalState>> checkAttempt(compiler::WorkerClient &worker,
                                            const LessonAttempt &attempt,
                                            const AttemptOptions &options = {});

} // namespace tilescope::app
