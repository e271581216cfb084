// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"

namespace tilescope::profiler {

/// An argument's value as a launch block writes it: `{ dtype = "fp32", shape = ["n"] }`, `1.0`.
std::string argumentValue(const LaunchArgument &arg);

} // namespace tilescope::profiler
