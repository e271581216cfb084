// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <string>
#include <vector>

/// Words for a prediction beside a measurement, and for counts of instructions; the view, the report
/// and the runner's text have the same.
namespace tilescope::profiler {

/// `179 µs on the H100 SXM, limited by DRAM; measured 183 µs, 1.02 times that`.
std::string predictionHeadline(const Measurement &measurement);

/// `30 %`, or `–` where it is not known.
std::string shareOrDash(const std::optional<double> &share);

/// About the line that differs most from its prediction, as a sentence without a full stop; empty
/// where none differs by `kLineGap`.
std::string lineGapText(const PredictionBeside &beside);

/// `4,096 executions, 6 % of the threads off by predicate, 32,768 sectors where 8,192 would do, …`.
std::string executionsText(const ExecutionCounts &counts);

/// The lines with most executions first.
std::vector<LineExecutions> mostExecuted(const ExecutionData &executions);
/// The counts of a line or an offset; null where there are none.
const ExecutionCounts *countsOfLine(const ExecutionData &executions, uint32_t line);
const ExecutionCounts *countsOfOffset(const ExecutionData &executions, uint32_t offset);

} // namespace tilescope::profiler
