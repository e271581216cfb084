// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"

#include <string>

namespace tilescope::profiler {

/// A line for each point; a column for each name.
std::string sweepCsv(const Sweep &sweep);
/// Its first line, and that of a point.
std::string sweepCsvHead(const Sweep &sweep);
std::string sweepCsvLine(const Sweep &sweep, const SweepPoint &point);

/// A self-contained page: the winner, plots with their data, all points, failures with reasons.
/// `generator`, `created`: as in `ReportData`.
std::string sweepHtml(const Sweep &sweep, const std::string &generator, const std::string &created);

/// Winner, best points of each work and what failed, for people.
std::string sweepText(const Sweep &sweep);

} // namespace tilescope::profiler
