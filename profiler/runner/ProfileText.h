// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <string>

namespace tilescope::profiler {

/// The parts of a profile as text for people: what it consists of and what is missing, counters by
/// section, the longest waits, the hottest lines. Empty when no profile was asked for.
std::string describeProfile(const Measurement &measurement);

} // namespace tilescope::profiler
