// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// The kernel files that `paths` mean, in this order. A folder means those below it that have a kernel: for a
/// lesson (the path of its folder; empty: none), those named after it where any is, since a learner's folder
/// holds the kernels of other lessons, too. The error is a path that leads nowhere, or a folder without such
/// files.
Result<std::vector<std::string>> gradedFiles(const std::vector<std::string> &paths,
                                             const std::string &lesson);

} // namespace tilescope::app
