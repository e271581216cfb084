// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/WorkerClient.h"

namespace tilescope::app {

/// A worker process beside the one that compiles, for work that the user stops: it is ended when it
/// has not obeyed a stop for `cancelPatience`. `numWorkers`: how many the window may have at once.
inline compiler::WorkerClientOptions stoppableWorker(const std::string &program,
                                                     unsigned numWorkers,
                                                     std::chrono::milliseconds cancelPatience) {
  compiler::WorkerClientOptions options;
  options.program = program;
  options.cancelPatience = cancelPatience;
  options.numWorkers = numWorkers;
  return options;
}

} // namespace tilescope::app
