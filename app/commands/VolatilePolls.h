// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that wait with a load that orders nothing:
//
//     while tl.load(flag_ptr, volatile=True) != p:     sees the flag
//         pass
//     x += tl.load(o_ptr + i)                          may be older than the flag on a GPU
//
// The interpreter executes both in their order, so that it finds nothing, and many kernels get away with it.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Notes it where the kernel loads, behind such a loop, what it stores as well.
void noteVolatilePolls(const LaunchRequest &request, LaunchRun &run);

} // namespace tilescope::app
