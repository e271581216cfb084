// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/CountAccesses.h"
#include "compiler/service/Messages.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace tilescope::app {

/// What is to be counted, and until when.
struct CountTask {
  const compiler::InspectMessage &message;
  const profiler::LaunchPlan &plan;
  std::stop_token stop;
};

/// A kernel that was compiled, with what the accesses of its launch cost.
struct CountedLaunch {
  compiler::CompileResult result;
  /// Nothing after an error.
  std::optional<compiler::MemoryFacts> facts;
  compiler::AccessRecord record;
  /// Where hints are wanted.
  compiler::ComputeFacts kernel;
  std::vector<compiler::Diagnostic> diagnostics;
  bool cancelled = false;
};

/// What is to be compiled before it is counted: machine code where hints are wanted.
compiler::CompileRequest countRequest(compiler::CompileRequest request, bool wantsHints);

CountedLaunch countLaunch(compiler::CompileOutcome compiled, const CountTask &task);

/// Of all arrays of the launch.
uint64_t dataBytes(const profiler::LaunchPlan &plan);

} // namespace tilescope::app
