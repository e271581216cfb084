// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/hints/FoundHint.h"

namespace tilescope::app {

/// Compiles and counts the launch with the arguments that a hint would change, and with what else
/// must change for that to help. Where it does, the hint gets its gain and its advice. False: nothing
/// is gained, so the hint has nothing to say. `counted`: the launch as it is, which has facts.
bool tryPadding(compiler::Compiler &worker, const CountTask &task, const CountedLaunch &counted,
                compiler::FoundHint &hint);

} // namespace tilescope::app
