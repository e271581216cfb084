// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/interpreter/Interpreter.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace tilescope::compiler {

/// The argument for a run-time parameter; nothing when the launch has none of that name. Memory is
/// needed only `withData`.
using LaunchArguments =
    std::function<std::optional<InterpreterArgument>(const KernelParameter &, bool withData)>;

/// What a launch contributes to a count of its accesses.
struct CountInput {
  /// False: nothing is executed, and facts have no counts of executions.
  bool isExecuted = true;
  /// As the compilation told them, if it did.
  std::vector<std::string> conversionPasses = {};
  std::array<int32_t, 3> grid{1, 1, 1};
  /// The only program that is counted; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program;
  /// What of the only program is recorded; nothing: it is only counted.
  std::optional<RecordRequest> record = std::nullopt;
  /// Also tell what the kernel computes.
  bool wantsKernel = false;
  LaunchArguments argument;
  /// 0: one per processor.
  unsigned numThreads = 0;
  std::stop_token stop;
};

struct CountOutcome {
  /// Nothing after an error. Ranges point into the files of the compilation.
  std::optional<MemoryFacts> facts;
  /// With the facts, where it was asked for; shapes of arguments are left open.
  AccessRecord record;
  /// With the facts, where it was asked for.
  ComputeFacts kernel;
  std::vector<Diagnostic> diagnostics;
  bool cancelled = false;
};

/// Counts what the accesses of a launch cost. `compiled` holds the text and the source map of its
/// TTGIR. Only what addresses depend on is executed, and only memory that it reads is asked for.
CountOutcome countAccesses(const CompileResult &compiled, const CountInput &input);

} // namespace tilescope::compiler
