// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TimeStatsJson.h"

#include <nlohmann/json.hpp>

namespace tilescope::app {

nlohmann::json timeStatsJson(const profiler::TimeStats &stats) {
  return {{"median", stats.median},
          {"min", stats.min},
          {"max", stats.max},
          {"n", stats.n},
          {"spread", stats.spread}};
}

} // namespace tilescope::app
