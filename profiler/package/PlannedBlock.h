// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::profiler {

/// Whether a block is the one that a plan was made from, as far as their names tell: blocks of one file may
/// have the same name, or none. A block that names no kernel is one of whichever the plan has.
inline bool isOfPlan(const LaunchBlock &block, const LaunchPlan &plan) {
  return block.name == plan.name && (block.kernel.empty() || block.kernel == plan.kernel);
}

} // namespace tilescope::profiler
