// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tilescope::app {

/// What the command line asks of the window.
struct WindowOptions {
  std::vector<std::string> files;
  /// A window and a session of its own.
  bool separate = false;
  /// Not empty: render the window into this PNG file and exit.
  std::string screenshot;
  int width = 1920;
  int height = 1080;
  /// `dark`, `light` or empty.
  std::string theme;
};

/// Opens the window and returns the exit status; empty where Tilescope was built without it.
using OpenIde = std::function<int(int &argc, char **argv, const WindowOptions &options)>;

/// The whole program: a subcommand, or the window. Gives the exit status.
int runCommandLine(int &argc, char **argv, const OpenIde &openIde);

} // namespace tilescope::app
