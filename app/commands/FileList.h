// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// A file that a command works on.
struct ListedFile {
  std::string path;
  /// Named on the command line, not found in a folder.
  bool isNamed = true;
};

/// The files that `paths` mean, in this order: a file means itself, a folder every kernel and IR
/// file below it, sorted by path. Hidden folders and `__pycache__` are left out. The error is a
/// path that leads nowhere.
Result<std::vector<ListedFile>> listFiles(const std::vector<std::string> &paths);

} // namespace tilescope::app
