// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/Commands.h"
#include "app/commands/SweepPlan.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace tilescope::app {

/// What the end of a sweep has beside its points.
struct SweepEnd {
  /// Writes table and page; empty: results are only printed.
  std::function<Status()> writeReports = {};
  std::string reportPath = {};
  /// Text before that of the sweep, and fields of the JSON beside its own.
  std::string head = {};
  nlohmann::json more = nlohmann::json::object();
};

/// Writes reports and the winner, and prints what was found; returns the exit status.
int finishSweep(const SweepPlan &plan, const SweepOptions &options, const InputFile &input,
                const SweepEnd &end);

} // namespace tilescope::app
