// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::app {

struct HelpOptions {
  /// `tl.load`, `runtime-divisor`, `TTGIR`.
  std::string word;
  bool json = false;
};
/// Prints the pages about a word.
int runHelp(const HelpOptions &options);

} // namespace tilescope::app
