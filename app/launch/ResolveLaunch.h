// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/SourceKernels.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/LaunchFacts.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string_view>
#include <vector>

/// Where a launch block and what the user asked for become one specialization. Evaluating is the
/// worker's part: it may take long, and what it evaluates is not trusted.
namespace tilescope::app {

/// A problem of a launch block in the words of its message.
compiler::Diagnostic launchDiagnostic(const profiler::LaunchProblem &problem);

struct ResolvedLaunch {
  /// The user's selection, completed from the launch block, then from files beside it. Values that
  /// none of them decides stay empty, and the frontend infers them.
  compiler::Selection selection;
  /// Absent when the file has no block that fits, or its block has errors.
  std::optional<profiler::LaunchPlan> plan;
  /// Index of the block among the file's blocks; -1 without one.
  int block = -1;
  std::vector<compiler::Diagnostic> diagnostics;

  /// Whether no diagnostic is an error.
  bool ok() const;
};

/// Finds the launch block that the request means, evaluates it with the overrides of its selection,
/// and fills in what the selection leaves open.
ResolvedLaunch resolveLaunch(const compiler::CompileRequest &request);

/// Moves what the compiler found about an option that the launch block states, and that the request
/// leaves to it, to the option's value: it is a problem of the block.
void takeOptionErrors(const compiler::CompileRequest &request, ResolvedLaunch &launch,
                      std::vector<compiler::Diagnostic> &found);

/// Where the launch block that the request means names an argument; the file's begin when it does
/// not.
SourceRange argumentRange(const compiler::CompileRequest &request, std::string_view name);

/// Where it states the programs along an axis of the grid, which counts from 0; nothing where it states
/// none.
std::optional<SourceRange> gridRange(const compiler::CompileRequest &request, size_t axis);

/// What would give such an argument contents: `init = "randn"` in its table, with the words of `init`.
/// Nothing when the block does not state it.
std::optional<compiler::DiagnosticFix> initFix(const compiler::CompileRequest &request,
                                               std::string_view name, std::string_view init);

/// The value of its `expected`, in the same way.
SourceRange expectedRange(const compiler::CompileRequest &request, std::string_view name);

/// That an output could not be checked, as a problem at its `expected`.
compiler::Diagnostic uncheckedOutput(const std::string &argument, const std::string &reason,
                                     const SourceRange &expected);

/// The same as it travels between processes.
compiler::LaunchFacts launchFacts(const ResolvedLaunch &launch);
/// The plan that travelled; nothing when there was none.
std::optional<profiler::LaunchPlan> planOf(const compiler::LaunchFacts &launch);

/// Which block `wanted` means: by launch name or position, else by kernel, else the first; -1 when
/// none fits. A block that names no kernel is one of the file's first kernel.
int findLaunch(const std::vector<profiler::LaunchBlock> &blocks,
               const std::vector<SourceKernel> &kernels, const compiler::Selection &wanted);

/// A name for each launch block of a file, to be put into `Selection::launch`: the block's own, or
/// its position when it has none, the name of an earlier one, or one that is not a file name.
std::vector<std::string> launchNames(std::string_view text);

} // namespace tilescope::app
