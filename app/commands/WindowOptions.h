// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace tilescope::app {

/// What the command line asks of the window.
struct WindowOptions {
  /// Files to open besides those of the session; without any, an example.
  std::vector<std::string> files;
  /// A window and its own session, whatever else is open.
  bool separate = false;
  /// Not empty: render the window once everything has settled into this PNG file, and exit.
  std::string screenshot;
  /// Size of the window for a screenshot.
  int width = 1920;
  int height = 1080;
  /// `dark`, `light`, or empty for what was chosen last (at first: the system's).
  std::string theme;
};

} // namespace tilescope::app
