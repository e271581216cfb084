// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A fix may be right in itself, and have nothing to do with what an output lacks: the maximum of positive
// numbers is not changed by the `other=0.0` that takes part in it. The kernel runs again to find out.
#pragma once

#include "app/commands/InterpreterRun.h"
#include "app/commands/TemporaryFolder.h"
#include "compiler/artifacts/Diagnostic.h"

#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::app {

/// A fix, and what the kernel leaves with it.
struct TriedFix {
  compiler::DiagnosticFix fix;
  TemporaryFolder outputs;
};

/// Runs the kernel again with each of the first fixes. `inputFolder`: as in `LaunchOptions`.
std::vector<TriedFix> tryFixes(compiler::WorkerClient &worker,
                               const compiler::CompileRequest &request,
                               const profiler::LaunchPlan &plan,
                               const std::vector<compiler::DiagnosticFix> &fixes,
                               const std::string &inputFolder, const std::stop_token &stop);

/// Those that change what an output holds. `folder`: what the kernel leaves as it is.
std::vector<compiler::DiagnosticFix>
fixesOf(const std::string &output, const std::vector<TriedFix> &tried, const std::string &folder);

} // namespace tilescope::app
