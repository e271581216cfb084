// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// `{"median", "min", "max", "n", "spread"}`, without the samples.
nlohmann::json timeStatsJson(const profiler::TimeStats &stats);

} // namespace tilescope::app
