// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/WindowOptions.h"

#include <functional>

namespace tilescope::app {

/// Opens the window and returns the exit status; empty where Tilescope was built without it.
using OpenIde = std::function<int(int &argc, char **argv, const WindowOptions &options)>;

/// The whole program: a subcommand, or the window. Returns the exit status.
int runCommandLine(int &argc, char **argv, const OpenIde &openIde);

} // namespace tilescope::app
