// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CheckLesson.h"
#include "app/lesson/Answer.h"

namespace tilescope::app {

/// The answer to a question of a lesson for a text; the error says why there is none. Thread: the
/// worker's.
Result<Answer> answerQuestion(compiler::WorkerClient &worker, const LessonAttempt &attempt,
                              const Question &question, const std::stop_token &stop = {});

} // namespace tilescope::app
