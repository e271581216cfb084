// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

namespace tilescope::profiler {

/// A NaN without its sign, which says nothing; other numbers as they are.
double withoutNanSign(double value);

/// How many elements differ, the first of them, and the worst: `3 elements differ, first [7]: 1
/// instead of 2, worst [9]: …`.
std::string describeDifference(const OutputComparison &comparison);

/// Whether an output is what the launch block expects, in words; empty where it expects nothing.
std::string expectedVerdict(const ReportOutput &output);

/// An output that matches and is in doubt.
struct DoubtedOutput {
  MatchDoubt doubt;
  /// What is said behind "match", with the output's name where others are compared, too.
  std::string text;
};

/// The first one; nothing where there is none.
std::optional<DoubtedOutput> doubtedOutput(const ReportCpuRun &run);
std::optional<DoubtedOutput> doubtedOutput(const Measurement &measurement);

/// What a run left of all outputs.
struct DifferenceTotals {
  /// Elements that differ; absent when nothing was compared.
  std::optional<int64_t> mismatches;
  /// The outputs that they belong to, separated by spaces.
  std::string outputs;
  /// The worst of them: `c[3, 4]: 1 instead of 2`.
  std::string worst;
};

/// Of the interpreter's outputs with what the launch block expects, and of a GPU's with its
/// reference.
DifferenceTotals totalDifferences(const ReportKernel &kernel);

/// Of the interpreter's outputs alone.
DifferenceTotals expectedDifferences(const ReportCpuRun &run);

} // namespace tilescope::profiler
