// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/hints/HintFacts.h"

namespace tilescope::app {

/// What the compilation, the count and the launch say of the kernel. `counted` has facts.
compiler::HintFacts launchHintFacts(const CountedLaunch &counted, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
