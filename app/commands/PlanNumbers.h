// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::app {

/// The integer that a constexpr of a launch is; nothing: it has no such constexpr, or that is not an integer.
std::optional<int64_t> constexprNumber(const profiler::LaunchPlan &plan, std::string_view name);

/// The integer that a name of the kernel stands for in a launch, as a constexpr or as an argument; nothing: it does not
/// stand for one.
std::optional<int64_t> planNumber(const profiler::LaunchPlan &plan, std::string_view name);

} // namespace tilescope::app
