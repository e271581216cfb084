// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code and the interpreter combine the elements of a block in different orders, as a GPU does in a third:
//
//     tl.reduce((value, index), 0, f)    where f keeps the left one of two equal values
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Doubts the outputs that are as expected in the interpreter, and that the native run before it left wrong by more
/// than roundings.
void doubtOrder(const LaunchRun &native, LaunchRun &interpreted);

} // namespace tilescope::app
