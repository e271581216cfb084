// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "profiler/package/LaunchPlan.h"

#include <vector>

namespace tilescope::app {

/// Findings count the elements of an argument from its beginning: for tensors of several
/// dimensions, their diagnostics get the coordinates as well.
void addCoordinates(const profiler::LaunchPlan &plan,
                    const std::vector<compiler::InterpreterFinding> &findings,
                    std::vector<compiler::Diagnostic> &diagnostics);

} // namespace tilescope::app
