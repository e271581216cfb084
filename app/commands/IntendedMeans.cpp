// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/IntendedMeans.h"

namespace tilescope::app {

void dropIntendedMeans(LaunchRun &run) {
  if (!run.measurement)
    return;
  bool isCompared = false;
  for (const profiler::OutputResult &output : run.measurement->outputs) {
    isCompared |= output.comparison.has_value();
    if (output.comparison ? !output.comparison->ok() : output.changed)
      return;
  }
  if (!isCompared)
    return;
  std::erase_if(run.diagnostics, [](const compiler::Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::RunOtherCounted && !each.cause.extents.empty();
  });
}

} // namespace tilescope::app
