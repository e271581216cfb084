// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/runner/JobProcess.h"

/// `tilescope-runner serve`: framed JSON on standard input and output.
///
///     -> {"id": 1, "method": "run", "params": {"package": "k.tskernel"}}       parameters: Job.h
///     <- {"method": "progress", "params": {"id": 1, "progress": "launch", "kernel": "k"}}
///     <- {"method": "progress", "params": {"id": 1, "progress": "alive"}}      about every second
///     <- {"method": "progress", "params": {"id": 1, "progress": "measure", "part": "counters",
///                                          "step": 7, "steps": 19}}
///     <- {"method": "partial", "params": {"id": 1, "result": {…}}}     before each part of a profile
///     -> {"method": "cancel", "params": {"id": 1}}
///     <- {"id": 1, "error": {"code": "cancelled", "message": "…"}}
///     -> {"id": 2, "method": "devices"}
///     <- {"id": 2, "result": {"devices": […], "cupti": "available"}}
///     -> {"id": 3, "method": "shutdown"}
///     <- {"id": 3, "result": null}
///
/// Requests run one after the other, each in a child process, so the service outlives every kernel.
/// `code` is one of `invalid_input`, `usage`, `environment`, `cancelled`, `internal`.
namespace tilescope::profiler {

/// Returns the exit status: 0 after `shutdown` or at the end of input.
int serve(int inputFile, int outputFile, const ChildCommand &command);

} // namespace tilescope::profiler
