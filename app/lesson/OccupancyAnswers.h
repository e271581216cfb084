// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Answers about how many programs a multiprocessor holds, and what limits that.
#pragma once

#include "app/lesson/Answer.h"

namespace tilescope::app {

/// What limits it: a choice.
Result<Answer> answerLimiter(const Question &question, const LaunchOutcome &outcome);
Result<Answer> answerProgramsAtOnce(const Question &question, const LaunchOutcome &outcome);
/// The line that does: of registers the one whose values take the most of them, of shared memory that of
/// the largest buffer; 0 where neither limits.
Result<Answer> answerLimitingLine(const Question &question, const LaunchOutcome &outcome);

} // namespace tilescope::app
