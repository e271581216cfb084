// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/EvaluateLaunch.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string_view>
#include <vector>

/// Where a launch block and what the person asked for become one specialization.
namespace tilescope::app {

struct ResolvedLaunch {
  /// The person's selection, completed from the launch block. What neither decides stays empty and
  /// is inferred by the frontend.
  compiler::Selection selection;
  /// Absent when the file has no block that fits, or its block has errors.
  std::optional<profiler::LaunchPlan> plan;
  /// Index of the block among the file's blocks; -1 without one.
  int block = -1;
  std::vector<compiler::Diagnostic> diagnostics;
};

/// Finds the launch block that fits `wanted` (by launch name or position, else by kernel, else the
/// first), evaluates it with the overrides of `wanted`, and fills in what `wanted` leaves open.
ResolvedLaunch resolveLaunch(std::string_view text, const compiler::Selection &wanted);

/// A name for each launch block of a file, to be put into `Selection::launch`: the block's own, or
/// its position when it has none, the name of an earlier one, or one that is no file name.
std::vector<std::string> launchNames(std::string_view text);

/// Evaluates launch expressions with the kernel language's own constant expressions.
Result<profiler::LaunchValue> evaluateLaunchExpression(const std::string &text,
                                                       const profiler::LaunchNames &names);

} // namespace tilescope::app
