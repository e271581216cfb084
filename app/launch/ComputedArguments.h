// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Assumption.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Arguments that no launch states, since `@triton.heuristics` computes them from the others. What
/// is here evaluates expressions of the source, so it is the worker's part.
namespace tilescope::app {

/// Parameters and launch options of a kernel that its heuristics compute; cheap, evaluates nothing.
std::set<std::string> computedNames(std::string_view text, std::string_view kernel);

/// Adds to the plan what the heuristics of its kernel compute, as far as they can be evaluated.
/// What the plan states stays: where something else is computed, the warning that comes back says so.
std::vector<compiler::Diagnostic> addComputed(const compiler::CompileRequest &request,
                                              const std::string &kernel,
                                              profiler::LaunchPlan &plan);

/// Warnings, at the decorator, for the values that a compile of a launch of `kernel` assumed since a
/// heuristic could not be evaluated.
std::vector<compiler::Diagnostic>
assumedComputed(const compiler::CompileRequest &request, const std::string &kernel,
                const std::vector<compiler::Assumption> &assumptions);

} // namespace tilescope::app
