// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// An expression without conversions to floating-point types: `x.astype("float32")`, `x.to(tl.float32)` and `x.half()`
/// become `(x)`, since expressions are computed in 64 bits and compared in the output's type; of truths, numbers. Conversions
/// to integers stay as they are.
std::string withoutFloatTypes(std::string text, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
