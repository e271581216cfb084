// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/SuggestedLaunch.h"
#include "profiler/package/LaunchPlan.h"

#include <vector>

namespace tilescope::app {

/// Whether the kernel does not tell how many programs a suggestion starts: no tensor goes as far,
/// or they cover blocks of a size that the kernel does not know.
bool isGuessedGrid(const compiler::SuggestedLaunch &suggestion);

/// An access outside of a tensor may be the fault of a guessed shape or grid: such a finding
/// becomes a warning that says so.
void doubtGuesses(const profiler::LaunchPlan &plan, std::vector<compiler::Diagnostic> &findings);

} // namespace tilescope::app
