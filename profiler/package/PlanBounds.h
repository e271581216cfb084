// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/LaunchPlan.h"

#include <array>
#include <cstdint>

/// The limits of a launch, wherever it comes from. Checked once where a plan enters: when a launch
/// block is evaluated and when JSON is read. Behind that, products of grids and shapes cannot
/// overflow, and names of arguments can be names of files.
namespace tilescope::profiler {

/// What devices take; the first extent is the large one.
inline constexpr std::array<int64_t, 3> kGridLimits = {2147483647, 65535, 65535};
inline constexpr size_t kMostArguments = 1024;

Status checkPlan(const LaunchPlan &plan);

} // namespace tilescope::profiler
