// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::app {

struct HelpOptions {
  /// `tl.load`, `runtime-divisor`, `TTGIR`.
  std::string word;
  /// All pages, in place of those about a word.
  bool isAll = false;
  bool json = false;
};
/// Prints the pages about a word, or all.
int runHelp(const HelpOptions &options);

} // namespace tilescope::app
