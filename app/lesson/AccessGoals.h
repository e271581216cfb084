// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Goals about accesses to memory, conversions and loops: what the counts of a launch show.
#pragma once

#include "app/lesson/GoalCheck.h"

namespace tilescope::app {

/// Whether an access to global memory is of those that are wanted.
bool isMeant(const GoalAccesses &wanted, const compiler::AccessFacts &access);
/// "the load of `x_ptr` in line 24".
std::string accessWords(const compiler::AccessFacts &access);
/// Of the learner's own file; nothing: it is of another one.
std::optional<SourceRange> ownPlace(const SourceRange &range);
/// `1,204,224`.
std::string withCommas(uint64_t number);

GoalState checkSectorsPerRequest(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkVectorBytes(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkBytesUsed(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkBytesMoved(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkWaveBytes(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkSharedConflicts(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkConversions(const Goal &goal, const LaunchOutcome &outcome);
GoalState checkPipelined(const Goal &goal, const LaunchOutcome &outcome);

} // namespace tilescope::app
