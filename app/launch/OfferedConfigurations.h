// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/inference/Heuristics.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// The arguments of a launch, as heuristics see them.
compiler::inference::KnownArguments knownArguments(const profiler::LaunchPlan &plan);

/// The configurations that the compiled kernel of a request offers, with the arguments that its
/// launch and the compile have given values. It evaluates expressions of the source, so it is the
/// worker's part.
std::vector<compiler::Configuration> offeredConfigurations(const compiler::CompileRequest &request,
                                                           const compiler::CompileResult &result);

/// Whether `result` is of this configuration: its constexprs and options have these values.
bool isCompiledFor(const compiler::CompileResult &result,
                   const compiler::Configuration &configuration);

/// What of the configurations of a kernel makes Triton's launch fail: keys that are no parameters.
std::vector<compiler::Diagnostic> configurationProblems(const compiler::CompileRequest &request,
                                                        const std::string &kernel);

/// Where the text makes each configuration of `offered`: its `Config(...)`, or all that
/// `@triton.autotune` is given where they cannot be told apart.
std::vector<SourceRange> configurationPlaces(const compiler::CompileRequest &request,
                                             const std::string &kernel,
                                             const std::vector<compiler::Configuration> &offered);

} // namespace tilescope::app
