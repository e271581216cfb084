// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <string>
#include <vector>

namespace tilescope::profiler {

/// A measurement as lines of text for users.
std::string describeMeasurement(const Measurement &measurement);

} // namespace tilescope::profiler
