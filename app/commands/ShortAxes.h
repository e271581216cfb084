// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Grids whose programs do not reach the end of an output along one of its axes, or along two:
//
//     grid = ["m // B", "n // B"]      40 by 50 elements in blocks of 16 by 16: the grid has 2 by 3, and it takes 3 by 4
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>

namespace tilescope::app {

/// Says so of a matrix, or of what has more axes, with what the grid takes as a fix; its place becomes that of the grid.
/// False: that is not why elements are left out.
bool explainShortAxes(const KernelText &kernel, const profiler::LaunchBlock &block,
                      const profiler::LaunchPlan &plan, const profiler::OutputResult &output,
                      compiler::Diagnostic &diagnostic);

/// The number of elements in a program's block, where the launch states one number for it.
std::optional<int64_t> blockSize(const profiler::LaunchPlan &plan);

} // namespace tilescope::app
