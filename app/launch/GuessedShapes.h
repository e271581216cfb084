// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

#include <vector>

namespace tilescope::app {

/// An access outside of a tensor whose shape was guessed may be the guess's fault: such a finding
/// becomes a warning that says so.
void doubtGuessedShapes(const profiler::LaunchPlan &plan,
                        std::vector<compiler::Diagnostic> &findings);

} // namespace tilescope::app
