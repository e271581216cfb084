// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Why a launch leaves elements of an output out: it has too few programs, or they all write to the
// same places.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>
#include <vector>

namespace tilescope::app {

/// Completes the diagnostic of an output that differs at an element which no program has written: it
/// says how many elements the programs write, and, of a vector, how many programs it would take. Its
/// place is that of the grid in the launch block of `text` where more programs would write the rest,
/// else that of the first of `stores`, in which the kernel writes to the output; the others get labels.
/// Does nothing for other outputs. True: all that it says was counted, so that it holds whether its fixes help or not.
bool explainUnwritten(std::string_view text, const profiler::LaunchPlan &plan,
                      const profiler::OutputResult &output, const std::vector<SourceRange> &stores,
                      compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
