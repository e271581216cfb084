// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/artifacts/Estimate.h"

namespace tilescope::app {

/// Of a thread: as the assembler says, or as many as seem to be needed, which `assumptions` then
/// state; -1: not known.
int64_t registersOf(const compiler::CompileResult &result, std::vector<std::string> &assumptions);

/// The integers that the launch passes, by the names of arguments: those that decide how often loops are
/// executed.
std::map<std::string, int64_t> integersOf(const profiler::LaunchPlan &plan);

/// What the launch will take on the usual device of its target. `counted` has facts and machine
/// code.
compiler::Estimate launchEstimate(const CountedLaunch &counted, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
