// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TellHooks.h"

#include <cstdio>
#include <unistd.h>

namespace tilescope::app {

static void tellStep(std::string_view part, int step, int numSteps) {
  const bool isLast = step >= numSteps;
  std::fprintf(stderr, "\r\x1b[K");
  if (part == "copy")
    std::fprintf(stderr, "copy: %d %%", step);
  else
    std::fprintf(stderr, "%.*s: %d of %d", static_cast<int>(part.size()), part.data(), step,
                 numSteps);
  if (isLast)
    std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

RunnerHooks tellingHooks() {
  RunnerHooks hooks;
  hooks.console = [](std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  };
  // A log file would fill with it.
  if (isatty(STDERR_FILENO) != 0)
    hooks.stepped = tellStep;
  return hooks;
}

} // namespace tilescope::app
