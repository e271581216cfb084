// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/TouchTrace.h"
#include "compiler/pipeline/CountAccesses.h"

namespace tilescope::compiler {

struct TouchInput {
  std::array<int32_t, 3> grid{1, 1, 1};
  ProgramSample programs;
  LaunchArguments argument;
  /// Room for the trace.
  size_t mostBytes = size_t{24} << 20;
  /// 0: one per processor.
  unsigned numThreads = 0;
  std::stop_token stop;
};

struct TouchOutcome {
  /// Nothing after an error. Ranges point into the files of the compilation; shapes of arguments
  /// are left open.
  std::optional<TouchTrace> trace;
  std::vector<Diagnostic> diagnostics;
  bool cancelled = false;
};

/// Finds what programs of a launch touch. `compiled` holds the text and the source map of its TTIR:
/// accesses are those that the kernel's source names, not what later passes make of them.
TouchOutcome traceTouches(const CompileResult &compiled, const TouchInput &input);

} // namespace tilescope::compiler
