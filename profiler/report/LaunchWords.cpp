// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/LaunchWords.h"

namespace tilescope::profiler {

std::string launchesLeftOut(const ReportKernel &kernel) {
  std::string names;
  for (const std::string &launch : kernel.launchesLeftOut)
    names += (names.empty() ? "" : "; ") + launch;
  const char *what = kernel.launchesLeftOut.size() == 1 ? "The file's other launch is"
                                                        : "The file's other launches are";
  return names.empty() ? "" : std::string(what) + " not in this report: " + names;
}

std::string launchCount(int64_t count) {
  return std::to_string(count) + (count == 1 ? " launch" : " launches");
}

} // namespace tilescope::profiler
