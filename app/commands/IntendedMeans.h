// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Takes out the warnings of means that divide by the extent of a block which its mask has not filled, where all
/// that the kernel changes is as expected: zero padding is meant to count there. No data hide a wrong divisor.
void dropIntendedMeans(LaunchRun &run);

} // namespace tilescope::app
