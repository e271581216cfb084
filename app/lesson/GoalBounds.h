// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/lesson/GoalCheck.h"

namespace tilescope::app {

/// A measured value against the bounds of a goal; `evidence` says the value in words.
inline GoalState withinBounds(const Goal &goal, double value, std::string evidence) {
  const bool isMet =
      (!goal.atMost || value <= *goal.atMost) && (!goal.atLeast || value >= *goal.atLeast);
  return {isMet ? GoalVerdict::Met : GoalVerdict::NotMet, std::move(evidence), {}};
}

} // namespace tilescope::app
