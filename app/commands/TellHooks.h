// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunnerHooks.h"

namespace tilescope::app {

/// Hooks that write to standard error: what the runner and ssh say, and on a terminal how far a copy
/// or a part of a profile is.
RunnerHooks tellingHooks();

} // namespace tilescope::app
