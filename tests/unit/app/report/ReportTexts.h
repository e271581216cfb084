// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/unit/app/report/SampleInputs.h"

namespace tilescope::app::test {

/// A report of one kernel.
inline profiler::ReportData reportOf(const ReportInputs &inputs) {
  profiler::ReportData data;
  data.title = "sample";
  data.kernels = {buildReportKernel(inputs)};
  return data;
}

/// How often `part` is in `text`.
inline size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace tilescope::app::test
