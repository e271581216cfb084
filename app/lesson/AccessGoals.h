// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Goals about accesses to memory, conversions and loops: what the counts of a launch show.
#pragma once

#include "app/lesson/GoalCheck.h"

namespace tilescope::app {

GoalState checkSectorsPerRequest(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkVectorBytes(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkBytesUsed(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkBytesMoved(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkWaveBytes(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkSharedConflicts(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkConversions(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkPipelined(const Goal &goal, const LaunchOutcome &outcome);

} // namespace tilescope::app
