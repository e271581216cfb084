// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MeasureBoth.h"

namespace tilescope::app {

TimesOfBoth measureBoth(const std::array<profiler::KernelPackage, 2> &packages,
                        const std::array<std::string, 2> &names, const MeasureBothOptions &options,
                        const RunnerHooks &hooks) {
  TimesOfBoth times;
  Result<profiler::InterleavedRun> run =
      measureTogether({packages.begin(), packages.end()}, options.together, hooks);
  if (!run) {
    times.error = run.error();
    return times;
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (run->kernels[i].error) {
      times.error = *run->kernels[i].error;
      times.error->message = "`" + names[i] + "`: " + times.error->message;
      return times;
    }
  profiler::TimeComparisonOptions comparing;
  comparing.resolution = options.thresholdPercent / 100;
  times.comparison =
      profiler::compareTimes(run->kernels[0].rounds, run->kernels[1].rounds, comparing);
  times.run = std::move(*run);
  return times;
}

} // namespace tilescope::app
