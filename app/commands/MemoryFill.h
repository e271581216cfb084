// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <cstdint>

namespace tilescope::app {

/// What memory begins with that nothing fills: what shows that it was never written, or numbers at either end.
enum class MemoryFill : uint8_t { Poison, Large, Small };

/// Fills the tensors of a launch that have no `init`.
void fillMemory(profiler::LaunchPlan &plan, MemoryFill fill);

} // namespace tilescope::app
