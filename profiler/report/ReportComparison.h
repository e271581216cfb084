// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>
#include <vector>

namespace tilescope::profiler {

/// A figure of two kernels. What one of them lacks is empty.
struct ComparedFigure {
  std::string name;
  std::string before;
  std::string after;
  /// `−12.3 %`; empty where nothing changed, or where one is missing.
  std::string change;
  bool isChanged = false;
};

struct ReportComparison {
  std::vector<ComparedFigure> figures;
  /// What changed, in one line: `time 50.5 → 45.2 µs (−10.5 %), registers 40 → 32`.
  std::string facts;
};

/// How the second kernel of a report differs from its first.
ReportComparison compareKernels(const ReportKernel &before, const ReportKernel &after);

/// The section of a page, and of Markdown; empty for a report that compares nothing.
std::string comparisonHtml(const ReportData &data);
std::string comparisonMarkdown(const ReportData &data);

} // namespace tilescope::profiler
