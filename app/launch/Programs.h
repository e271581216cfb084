// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::app {

/// Path of a program that is installed beside this one, e.g. `tilescope-worker`. The environment
/// variable `TILESCOPE_WORKER` (`TILESCOPE_RUNNER`) overrides it.
std::string programBeside(const std::string &name);

inline std::string workerProgram() { return programBeside("tilescope-worker"); }
inline std::string runnerProgram() { return programBeside("tilescope-runner"); }

} // namespace tilescope::app
