// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::app {

/// The whole program: reads the command line, does what it says, gives the exit status.
int runCommandLine(int argc, char **argv);

} // namespace tilescope::app
