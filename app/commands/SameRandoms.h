// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Random numbers whose offsets do not depend on the program:
//
//     keep = tl.rand(seed, tl.arange(0, BLOCK)) > p       all programs draw the same BLOCK numbers
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>
#include <vector>

namespace tilescope::app {

/// A note for each such call, where the launch has several programs.
std::vector<compiler::Diagnostic> sameRandoms(std::string_view text,
                                              const profiler::LaunchPlan &plan);

} // namespace tilescope::app
