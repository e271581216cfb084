// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"
#include "profiler/package/LaunchPlan.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// `tl.program_id(axis) * BLOCK`: programs have blocks that lie side by side.
struct SideBySide {
  size_t axis = 0;
  std::string block;
  int64_t size = 0;
  /// Nothing is added to the number: `(tl.program_id(0) + i) * BLOCK`.
  bool isAlone = true;
};

/// What of that a kernel has, with the constexprs of a launch.
std::vector<SideBySide> sideBySide(const KernelText &kernel, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
