// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::profiler {

/// `12.3 us`, `4.56 ms` or `7.89 s`.
std::string timeText(double us);

} // namespace tilescope::profiler
