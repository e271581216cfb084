// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The hints of a launch. A change that would remove the cause of one is tried before it is offered:
// the changed kernel compiles, no longer has the hint, and leaves the same bits in all arrays.
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/artifacts/Hint.h"

#include <vector>

namespace tilescope::app {

/// `counted`: the launch as it is, which has facts.
std::vector<compiler::Hint> triedHints(compiler::Compiler &worker, const CountTask &task,
                                       const CountedLaunch &counted);

} // namespace tilescope::app
