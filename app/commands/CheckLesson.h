// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/GoalCheck.h"
#include "compiler/service/WorkerClient.h"

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

/// Where the goals of a lesson stand for a text, in their order: the text is compiled, its accesses
/// are counted and the interpreter runs it, as far as the goals need that. The error is about the
/// environment. Thread: the worker's.
Result<std::vector<GoalState>> checkAttempt(compiler::WorkerClient &worker,
                                            const LessonAttempt &attempt,
                                            const std::stop_token &stop = {});

} // namespace tilescope::app
