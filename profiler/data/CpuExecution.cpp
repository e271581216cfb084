// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/CpuExecution.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string timesText(const CpuExecution &execution) {
  if (!execution.isNative)
    return {};
  constexpr double kUsPerMs = 1000;
  std::string text = fmt::format("compiled in {:.1f} ms", execution.compileUs / kUsPerMs);
  if (execution.interpretedPrograms > 0)
    text += fmt::format("; the {} took {:.3f} ms in the interpreter",
                        execution.interpretedPrograms == 1 ? "first program"
                                                           : "first and the last program",
                        execution.interpretedUs / kUsPerMs);
  return text;
}

} // namespace tilescope::profiler
