// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"

#include <QString>

#include <vector>

// What is said of a run, in a sentence.
namespace tilescope::app {

/// `12.4 µs (median of 100, 11.9 to 14.0) · 1240 GB/s · …`, or what the interpreter took.
QString runSummary(const profiler::Measurement &measurement);

/// What the findings below it do not say themselves: that the run failed, or that there was none,
/// and with how many errors.
QString faultSummary(const std::vector<compiler::Diagnostic> &findings, bool hasRun);

/// `, but `o_ptr` is not as it should be`, where that is so.
QString differenceSummary(const profiler::Measurement &measurement);

/// Of a run with faults: what came of the outputs that something is expected of.
QString checkedSummary(const profiler::Measurement &measurement);

} // namespace tilescope::app
