// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// An expression of arrays with each `~` before truths as `not`: NumPy inverts an array of booleans, and Python
/// the bits of one boolean, so that `~(x > 0)` of one element would be -2. What is not an expression is returned
/// as it is.
std::string withTruthsInverted(std::string text, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
