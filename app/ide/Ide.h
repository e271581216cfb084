// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/WindowOptions.h"

namespace tilescope::app {

/// Runs the IDE until it is closed and returns the exit status of the program. Creates the
/// `QApplication`, so call it once, from the main thread.
int runIde(int &argc, char **argv, const WindowOptions &options);

} // namespace tilescope::app
