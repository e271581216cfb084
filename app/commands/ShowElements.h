// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CheckLesson.h"
#include "app/lesson/LiveElements.h"

namespace tilescope::app {

/// What stands in live places of a lesson's text for a learner's kernel, in the lesson's first
/// launch. The error is about the environment. Thread: the worker's.
Result<std::vector<ShownElement>> showElements(compiler::WorkerClient &worker,
                                               const LessonAttempt &attempt,
                                               const std::vector<LiveElement> &elements,
                                               const std::stop_token &stop);

} // namespace tilescope::app
